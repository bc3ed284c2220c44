import TestRig
import Testing

/// Tests that the programs read time and randomness only from `HostClock`, which tests can replace. Programs
/// that do not load `FrameFastSystem` read time from `SystemTime`.
@Suite(.blocking) struct ClockTests {
    /// Returns the files of all layers except Linux, which reads the kernel's clocks, and the simulator.
    private static func files() throws -> [SourceFile] {
        try SourceFile.all(under: "Sources").filter { !["Linux", "Simulator"].contains($0.layer) }
    }

    /// A pattern for other sources of time and randomness. The pattern does not match `random()` of a
    /// `HostClock`.
    private static let source = [
        #"\b(ContinuousClock|SuspendingClock)\b"#, #"\bDate\(\)"#, #"\bDate\.now\b"#, "timeIntervalSinceNow",
        #"\bTask\.sleep\("#, #"\.random\((in|using):"#, #"\b[A-Z][A-Za-z0-9]*\.random\("#,
        #"\.(randomElement|shuffled)\("#,
        #"\bclock_gettime\("#, #"\btime\(nil\)"#,
    ].joined(separator: "|")

    @Test func `only HostClock and SystemTime are sources of time and randomness`() throws {
        let source = try LinePattern(Self.source)
        for file in try Self.files() {
            let lines = file.code(matching: source)
            #expect(lines.isEmpty, "\(file.path), lines \(lines.map(\.number)): use HostClock")
        }
    }

    @Test func `modules that can use HostClock do not use SystemTime`() throws {
        let source = try LinePattern(#"\bSystemTime\b"#)
        var users: Set<String> = []
        for file in try Self.files() {
            let lines = file.code(matching: source)
            guard !lines.isEmpty else { continue }
            users.insert(file.module)
            let module = try #require(
                Module.all[file.module], "\(file.path): the module is not in Package.swift")
            #expect(
                !module.imports.contains("FrameFastSystem"),
                "\(file.path), lines \(lines.map(\.number)): use HostClock")
        }
        // The worker and the command line do not load FrameFastSystem.
        #expect(users == ["CameraWorker", "FrameFastCLI", "GPhoto2", "TerminalUI"])
    }

    @Test func `no code uses the name nowMs`() throws {
        let name = try LinePattern(#"\bnowMs\b"#)
        for file in try SourceFile.all(under: "Sources") {
            let lines = file.code(matching: name)
            #expect(
                lines.isEmpty, "\(file.path), lines \(lines.map(\.number)): use Date, Duration or Instant")
        }
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
