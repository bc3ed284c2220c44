import TestRig
import Testing

/// Tests that the service reads time and randomness only from `HostClock`. A test can then replace both.
@Suite(.blocking) struct ClockTests {
    /// The layers that read time and randomness from `HostClock`.
    private static let layers = ["API", "Automation", "Camera", "Capture", "Daemon", "Upload"]

    /// A pattern for other sources of time and randomness. The pattern does not match `random()` of a
    /// `HostClock`.
    private static let source = [
        #"\b(ContinuousClock|SuspendingClock)\b"#, #"\bDate\(\)"#, #"\bDate\.now\b"#, "timeIntervalSinceNow",
        #"\bTask\.sleep\("#, #"\.random\((in|using):"#, #"\b[A-Z][A-Za-z0-9]*\.random\("#,
        #"\.(randomElement|shuffled)\("#,
        #"\bclock_gettime\("#, #"\btime\(nil\)"#,
    ].joined(separator: "|")

    /// Files below `Sources` that do not use `HostClock`, with the reason.
    private static let exceptions: [String: String] = [
        "Camera/CameraWorker/Run/WorkerClock.swift": "the worker does not load FrameFastSystem",
        "Camera/GPhoto2/Packets/PacketTap.swift": "the worker does not load FrameFastSystem",
    ]

    @Test func `only HostClock is a source of time and randomness`() throws {
        let source = try LinePattern(Self.source)
        var found: Set<String> = []
        for file in try Self.layers.flatMap({ try SourceFile.all(under: "Sources/\($0)") }) {
            let lines = file.code(matching: source)
            guard !lines.isEmpty else { continue }
            let name = String(file.path.dropFirst("Sources/".count))
            found.insert(name)
            #expect(
                Self.exceptions[name] != nil,
                "\(file.path), lines \(lines.map(\.number)): use HostClock")
        }
        let unused = Set(Self.exceptions.keys).subtracting(found).sorted()
        #expect(unused.isEmpty, "these files use only HostClock: shorten the list")
    }

    @Test(
        arguments: [
            ("let start = ContinuousClock.now", true), ("at: Date()", true), ("clock.now()", false),
            ("try await Task.sleep(for: pause)", true), ("try await clock.sleep(for: pause)", false),
            ("UInt64.random(in: 0...9)", true), ("Bool.random()", true), ("clock.random()", false),
            ("Date(timeIntervalSince1970: 0)", false), ("letters.randomElement()", true),
        ] as [(String, Bool)])
    func `the pattern finds each source of time and randomness`(line: String, isSource: Bool) throws {
        #expect(try LinePattern(Self.source).matches(line) == isSource)
    }
}
