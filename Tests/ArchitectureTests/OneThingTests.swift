import TestRig
import Testing

/// Tests that helpers of the product are not reimplemented.
@Suite(.blocking) struct OneThingTests {
    /// A regular expression for lines that only one file may contain, with its exceptions.
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
                "Sources/Linux/SystemIO/IO.swift": "the system call of FileReader",
                "Sources/Linux/FrameFastSystem/Files/FileReader.swift": "it is the one",
                "Sources/Camera/CameraWorker/Memory/MemoryPhotoFile.swift":
                    "memory without a path, shared by descriptor",
                "Sources/Camera/CameraWorker/Memory/BackgroundHasher.swift":
                    "reads back what it still writes",
            ]),
        Rule(
            pattern: #"\bEINTR\b"#, use: "IO",
            places: ["Sources/Linux/SystemIO/SystemCallFailure.swift": "it is the one"]),
        Rule(
            pattern: #"\bsockaddr_un\(|\bsun_path\b"#, use: "UnixAddress",
            places: ["Sources/Linux/SystemIO/IO+Sockets.swift": "it is the one"]),
        Rule(pattern: "%02x", use: "Hex", places: [:]),
        Rule(
            pattern: #"pthread_create\("#, use: "PlainThread",
            places: [
                "Sources/Linux/SystemIO/PlainThread.swift": "it is the one",
                "Sources/Camera/CameraWorker/Sandbox/SandboxTrial.swift":
                    "tries whether the sandbox lets one start",
            ]),
        Rule(pattern: #"\bThread( \{|\(|\.detach)"#, use: "PlainThread", places: [:]),
        // Dispatch sources of descriptors sometimes crash the process; see `ChildOutput`.
        Rule(pattern: #"DispatchSource\.make(Read|Write)|DispatchIO\("#, use: "ChildOutput", places: [:]),
        // The package's merge holds a lock across a suspension. If a task prefers an executor, a cancellation
        // then waits forever.
        Rule(
            pattern: #"\.cancelOnGracefulShutdown\(\)"#, use: "withGracefulShutdownHandler",
            places: [
                "Sources/Daemon/FrameFastDaemon/Settings/ConfigurationReload.swift":
                    "it prefers no executor, and a reload that has begun goes on"
            ]),
        Rule(
            pattern: #"import Subprocess\b"#, use: "ChildProcess",
            places: ["Sources/Linux/ChildProcesses/ChildProcess.swift": "it is the one"]),
        Rule(pattern: #"[ (=]Process\("#, use: "ChildProcess", places: [:]),
        Rule(
            pattern: #"posix_spawn\("#, use: "ChildProcess",
            places: [
                "Sources/CLI/FrameFastCLI/Doctor/ShortCommand.swift":
                    "the command line is without concurrency and Foundation",
                "Sources/CLI/FrameFastCLI/Live/PictureProgram.swift":
                    "the command line is without concurrency and Foundation",
                "Sources/Camera/CameraWorker/Sandbox/SandboxTrial.swift":
                    "tries whether the sandbox lets one start",
                "Sources/Camera/CameraWorker/Sandbox/TrialFixture.swift":
                    "runs before the sandbox, in a program without Foundation",
            ]),
        Rule(
            pattern: #"[Dd]oublings|\bpow\(|\bwait \* factor|[Ww]ait\w* \* 2|1 << min\("#, use: "Backoff",
            places: ["Sources/Model/FrameFastModel/Backoff.swift": "it is the one"]),
        Rule(
            pattern: #"UInt8\(ascii: "%"\)|addingPercentEncoding|removingPercentEncoding"#,
            use: "PercentCoding",
            places: ["Sources/Model/TextForms/PercentCoding.swift": "it is the one"]),
        Rule(
            pattern: #""min": "#, use: "DurationText",
            places: ["Sources/Model/TextForms/DurationText.swift": "it is the one"]),
        Rule(
            pattern: #"\bEACCES\b|\.notPermitted\b"#, use: "Errno's groups",
            places: [
                "Sources/Linux/FrameFastSystem/Errno+Groups.swift": "it is the one",
                "Sources/API/APIClient/UnixSocket.swift": "the client has no dependency on the service",
                "Sources/Camera/Cameras/Discovery/ProbeFailure.swift": "what connecting met, not a file",
                "Sources/Camera/USBHotplug/USBAccess.swift":
                    "a device's node, in a module without swift-system",
                "Sources/Camera/CameraWorker/Sandbox/Sandbox.swift": "the worker's own confinement",
                "Sources/Camera/CameraWorker/Sandbox/SandboxTrial.swift": "tries what the sandbox refuses",
            ]),
        Rule(
            pattern: #"status >= 500"#, use: "CurlResponse.isServerTrouble",
            places: [
                "Sources/Upload/UploadDestinations/HTTP/HTTPStatusRules.swift": "it is the one"
            ]),
        Rule(
            pattern: #"is out of disk space|Free some space at the destination"#, use: "UploadFailure.full",
            places: [
                "Sources/Upload/UploadEngine/Destination/UploadDestination.swift": "it is the one",
                "Sources/Upload/UploadDestinations/Curl/TransportFailureRules.swift": "what FTP says of it",
                "Sources/Upload/UploadDestinations/HTTP/HTTPStatusRules.swift": "what HTTP says of it",
                "Sources/Upload/UploadDestinations/S3/S3Response.swift": "what S3 says of it",
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
        #expect(Set(rule.places.keys).subtracting(found).isEmpty, "no longer said there")
    }
}
