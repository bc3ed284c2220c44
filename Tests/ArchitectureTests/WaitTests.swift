import TestRig
import Testing

/// Tests of the rules for tests of whole programs.
///
/// A test checks the value that a wait returned, because the state may change before another request.
@Suite(.blocking) struct WaitTests {
    private static let folder = "Tests/Programs/EndToEndTests"

    /// A pattern for a request to a rig without a wait.
    private static let request = #"\.(status|records|files|parts)\(\)"#

    /// The number of requests without a wait in each file, with the reason. Do not add entries.
    static let exceptions: [String: (count: Int, reason: String)] = [
        "Cameras/SameSerialTests.swift": (1, "the service was killed, so the files do not change"),
        "Captures/MisreadPhotoTests.swift": (1, "the service was stopped, so the files do not change"),
        "Faults/DiskFullTests.swift": (1, "a condition that must stay is read twenty times"),
        "Faults/KillSweepTests.swift": (1, "a number for the report"),
        "Faults/SyscallSweepTests.swift": (1, "a condition of a wait"),
        "Campaign/CampaignRun.swift": (2, "conditions of a wait"),
    ]

    @Test func `tests of whole programs use the value that a wait returned`() throws {
        let request = try LinePattern(Self.request)
        var found: [String: Int] = [:]
        for file in try SourceFile.all(under: Self.folder) {
            let name = String(file.path.dropFirst(Self.folder.count + 1))
            let allowed = Self.exceptions[name]?.count ?? 0
            let lines = file.code(matching: request)
            if !lines.isEmpty { found[name] = lines.count }
            #expect(
                lines.count <= allowed,
                """
                \(name), lines \(lines.map(\.number)): use the value of rig.status("…"), \
                rig.waitUntilSettled(…), rig.waitUntil("…") or rig.untilIntact(…)
                """)
        }
        for (name, exception) in Self.exceptions {
            #expect(found[name] == exception.count, "\(name) has fewer such requests: shorten the list")
        }
    }

    @Test func `checks for loss store the result in a variable before the expectation`() throws {
        let oracle = try LinePattern(#"#expect\(.*untilIntact\("#)
        for file in try SourceFile.all(under: Self.folder) {
            // If an expectation contains `await`, its failure message shows no values.
            let lines = file.lines(matching: oracle)
            #expect(lines.isEmpty, "\(file.path), lines \(lines.map(\.number))")
        }
    }

    @Test func `every suite of whole programs has the programs trait`() throws {
        let suite = try LinePattern("@Suite")
        for file in try SourceFile.all(under: Self.folder) {
            for (number, _) in file.lines(matching: suite) {
                let lines = file.lines[(number - 1)...]
                let declaration =
                    lines.prefix { !$0.contains("struct ") }.joined()
                    + (lines.first { $0.contains("struct ") } ?? "")
                #expect(declaration.contains(".programs("), "\(file.path), line \(number)")
            }
        }
    }
}
