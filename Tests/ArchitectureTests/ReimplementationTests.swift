import TestRig
import Testing

/// Tests that helpers of the product are not reimplemented.
@Suite(.blocking) struct ReimplementationTests {
    /// A regular expression, with the files that may contain matching lines and the reasons.
    struct Rule: CustomTestStringConvertible, Sendable {
        var pattern: String
        var use: String
        var places: [String: String]
        var testDescription: String { use }
    }

    static let rules: [Rule] = [
        Rule(
            pattern: #"\bpread\(|IO\.read\(from: [a-z.]+, at:"#, use: "FileReader",
            places: [
                "Sources/Linux/SystemIO/IO.swift": "implements the system call for FileReader",
                "Sources/Linux/FrameFastSystem/Files/FileReader.swift": "the only implementation",
                "Sources/Camera/CameraWorker/Memory/MemoryPhotoFile.swift":
                    "memory without a path, shared by descriptor",
                "Sources/Camera/CameraWorker/Memory/BackgroundHasher.swift":
                    "reads a file that is still being written",
                "Sources/Pictures/PictureWorker/Descriptors/PhotoDescriptor.swift":
                    "a photo without a path, in a program without Foundation",
            ]),
        Rule(
            pattern: #"\bEINTR\b"#, use: "IO",
            places: ["Sources/Linux/SystemIO/SystemCallFailure.swift": "the only implementation"]),
        Rule(
            pattern: #"\bsockaddr_un\(|\bsun_path\b"#, use: "UnixAddress",
            places: ["Sources/Linux/SystemIO/IO+Sockets.swift": "the only implementation"]),
        Rule(
            pattern: #"\bclock_gettime\("#, use: "SystemTime",
            places: ["Sources/Linux/SystemIO/SystemTime.swift": "the only implementation"]),
        Rule(
            pattern: #"\bopendir\("#, use: "IO.names",
            places: ["Sources/Linux/SystemIO/IO+Folders.swift": "the only implementation"]),
        Rule(pattern: "%02x", use: "Hex", places: [:]),
        Rule(
            pattern: #"pthread_create\("#, use: "PlainThread",
            places: [
                "Sources/Linux/SystemIO/PlainThread.swift": "the only implementation",
                "Sources/Camera/CameraWorker/Sandbox/SandboxTrial.swift":
                    "tests whether the sandbox allows the call",
            ]),
        Rule(pattern: #"\bThread( \{|\(|\.detach)"#, use: "PlainThread", places: [:]),
        // Dispatch sources of descriptors sometimes crash the process; see `ChildOutput`.
        Rule(pattern: #"DispatchSource\.make(Read|Write)|DispatchIO\("#, use: "ChildOutput", places: [:]),
        // `cancelOnGracefulShutdown` uses AsyncAlgorithms' `merge`, which holds a lock across a suspension.
        // If the calling task prefers an executor, its cancellation waits forever.
        Rule(
            pattern: #"\.cancelOnGracefulShutdown\(\)"#, use: "withGracefulShutdownHandler",
            places: [
                "Sources/Daemon/FrameFastDaemon/Settings/ConfigurationReload.swift":
                    "prefers no executor, and completes a reload that has begun"
            ]),
        Rule(
            pattern: #"import Subprocess\b"#, use: "ChildProcess",
            places: ["Sources/Linux/ChildProcesses/ChildProcess.swift": "the only implementation"]),
        Rule(pattern: #"[ (=]Process\("#, use: "ChildProcess", places: [:]),
        Rule(
            pattern: #"posix_spawn\("#, use: "ChildProcess",
            places: [
                "Sources/CLI/FrameFastCLI/Doctor/ShortCommand.swift":
                    "the command line uses no concurrency and no Foundation",
                "Sources/CLI/FrameFastCLI/Live/PictureProgram.swift":
                    "the command line uses no concurrency and no Foundation",
                "Sources/Camera/CameraWorker/Sandbox/SandboxTrial.swift":
                    "tests whether the sandbox allows the call",
                "Sources/Camera/CameraWorker/Sandbox/TrialFixture.swift":
                    "runs before the sandbox, in a program without Foundation",
            ]),
        Rule(
            pattern: #"[Dd]oublings|\bpow\(|\bwait \* factor|[Ww]ait\w* \* 2|1 << min\("#, use: "Backoff",
            places: ["Sources/Model/FrameFastModel/Backoff.swift": "the only implementation"]),
        Rule(
            pattern: #"UInt8\(ascii: "%"\)|addingPercentEncoding|removingPercentEncoding"#,
            use: "PercentCoding",
            places: ["Sources/Model/TextForms/PercentCoding.swift": "the only implementation"]),
        Rule(
            pattern: #""min": "#, use: "DurationText",
            places: ["Sources/Model/TextForms/DurationText.swift": "the only implementation"]),
        Rule(
            pattern: #"\bEACCES\b|\.notPermitted\b"#, use: "Errno's groups",
            places: [
                "Sources/Linux/FrameFastSystem/Errno+Groups.swift": "the only implementation",
                "Sources/API/APIClient/UnixSocket.swift": "the client has no dependency on the service",
                "Sources/Camera/Cameras/Discovery/ProbeFailure.swift": "errors of connections, not of files",
                "Sources/Camera/USBHotplug/USBAccess.swift":
                    "a device's node, in a module without swift-system",
                "Sources/Camera/CameraWorker/Sandbox/Sandbox.swift": "the worker's own confinement",
                "Sources/Camera/CameraWorker/Sandbox/SandboxTrial.swift": "tests the refused calls",
            ]),
        Rule(
            pattern: #"status >= 500"#, use: "CurlResponse.isServerError",
            places: [
                "Sources/Upload/UploadDestinations/HTTP/HTTPStatusRules.swift": "the only implementation"
            ]),
        Rule(
            pattern: #"is out of disk space|Free some space at the destination"#, use: "UploadFailure.full",
            places: [
                "Sources/Upload/UploadEngine/Destination/UploadDestination.swift": "the only implementation",
                "Sources/Upload/UploadDestinations/Curl/TransportFailureRules.swift": "FTP's own text",
                "Sources/Upload/UploadDestinations/HTTP/HTTPStatusRules.swift": "HTTP's own text",
                "Sources/Upload/UploadDestinations/S3/S3Response.swift": "S3's own text",
            ]),
    ]

    @Test(arguments: rules)
    func `helpers of the product are not reimplemented`(rule: Rule) throws {
        let pattern = try LinePattern(rule.pattern)
        var found: Set<String> = []
        for file in try SourceFile.all(under: "Sources") where file.layer != "Simulator" {
            guard !file.code(matching: pattern).isEmpty else { continue }
            found.insert(file.path)
            #expect(rule.places[file.path] != nil, "\(file.path) has \(rule.pattern): use \(rule.use)")
        }
        #expect(Set(rule.places.keys).subtracting(found).isEmpty, "the exception is no longer needed")
    }
}
