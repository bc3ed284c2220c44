import ArgumentParser
import Foundation
import TestRig
import Testing

@testable import FrameFastCLI

@Suite struct LogsTests {
    @Test(
        arguments: [
            ([], false, ["--unit=framefastd", "--no-hostname", "--lines=100"]),
            (["-f", "-n", "5"], false, ["--unit=framefastd", "--no-hostname", "--lines=5", "--follow"]),
            (
                ["--camera", "studio-a", "--since", "14:30", "--level", "error"], true,
                [
                    "--user", "--unit=framefastd", "--no-hostname", "--since=14:30", "--priority=err",
                    "CAMERA=studio-a",
                ]
            ),
            (
                ["--destination", "nas", "--json"], false,
                ["--unit=framefastd", "--no-hostname", "--lines=100", "--output=json", "DESTINATION=nas"]
            ),
        ] as [([String], Bool, [String])])
    func `translates options to journalctl arguments`(
        options: [String], isUsers: Bool, words: [String]
    ) throws {
        #expect(try LogsVerb.parse(options).arguments(isUsers: isUsers) == words)
    }

    @Test(
        .programs(1),
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/journalctl"), "no journalctl here"))
    func `journalctl accepts all generated arguments`() async throws {
        let run = try await ProgramRun.of([
            "logs", "--plain", "--lines", "3", "--camera", "studio-a", "--destination", "nas", "--since",
            "1 hour ago",
            "--level", "warning",
        ])
        // The messages depend on the computer. Only check that journalctl accepts the arguments.
        for error in ["unrecognized", "Invalid", "Failed to parse", "Unknown"] {
            #expect(!run.errors.contains(error), "\(run.errors)")
        }
    }

    @Test(.programs(1))
    func `recommends reading the service's standard error if journalctl is missing`() async throws {
        let run = try await ProgramRun.of(["logs"], wrapper: ["/usr/bin/env", "PATH=/nonexistent"])
        #expect(run.status == 1)
        #expect(run.errors.contains("cannot find journalctl"))
        #expect(run.errors.contains("standard error"))
    }

    @Test(.programs(1)) func `rejects --user together with --system`() async throws {
        #expect(try await ProgramRun.of(["logs", "--user", "--system"]).status == 2)
    }
}
