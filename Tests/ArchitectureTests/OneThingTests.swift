import Testing

/// What is written once in the product: who writes it a second time finds here where the first one is.
@Suite struct OneThingTests {
    /// Words of Swift's or the system's that only one place of the product may say, and who else has a reason.
    struct Rule: CustomTestStringConvertible, Sendable {
        var word: String
        var use: String
        var places: [String: String]
        var testDescription: String { word }
    }

    static let rules: [Rule] = [
        Rule(
            word: " pread(", use: "FileReader",
            places: [
                "Sources/Linux/FrameFastSystem/FileReader.swift": "it is the one",
                "Sources/Camera/CameraWorker/MemoryShelf.swift":
                    "memory without a path, shared by descriptor",
                "Sources/Camera/CameraWorker/PhotoSink.swift": "reads back what it still writes",
            ]),
        Rule(word: "%02x", use: "Hex", places: [:]),
        Rule(
            word: "pthread_create(", use: "PlainThread",
            places: [
                "Sources/Linux/PlainThreads/PlainThread.swift": "it is the one",
                "Sources/Camera/USBHotplug/USBEventThread.swift": "is joined, and says why it cannot start",
                "Sources/Camera/CameraWorker/SandboxTrial.swift": "tries whether the sandbox lets one start",
            ]),
        Rule(
            word: "posix_spawn(", use: "swift-subprocess",
            places: [
                "Sources/CLI/FrameFastCLI/Doctor/ShortCommand.swift":
                    "the command line is without concurrency and Foundation",
                "Sources/Camera/CameraWorker/SandboxTrial.swift": "tries whether the sandbox lets one start",
                "Sources/Camera/CameraWorker/TrialGround.swift":
                    "runs before the sandbox, in a program without Foundation",
            ]),
    ]

    @Test(arguments: rules)
    func `what there is once is not written a second time`(rule: Rule) throws {
        var found: Set<String> = []
        for file in try SourceFile.all(under: "Sources") where file.wing != "Simulator" {
            guard file.lines.contains(where: { $0.contains(rule.word) }) else { continue }
            found.insert(file.path)
            #expect(rule.places[file.path] != nil, "\(file.path) says \(rule.word): use \(rule.use)")
        }
        #expect(Set(rule.places.keys).subtracting(found).isEmpty, "no longer said there")
    }
}
