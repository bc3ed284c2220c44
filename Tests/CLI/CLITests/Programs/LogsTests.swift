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
    func `what is asked for is put into journalctl's words`(
        options: [String], isUsers: Bool, words: [String]
    ) throws {
        #expect(try LogsVerb.parse(options).arguments(isUsers: isUsers) == words)
    }

    @Test(
        .programs(1),
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/journalctl"), "no journalctl here"))
    func `journalctl takes all of these words`() async throws {
        let run = try await ProgramRun.of([
            "logs", "--plain", "--lines", "3", "--camera", "studio-a", "--destination", "nas", "--since",
            "1 hour ago",
            "--level", "warning",
        ])
        // What it finds depends on the computer, whether it understands does not.
        for complaint in ["unrecognized", "Invalid", "Failed to parse", "Unknown"] {
            #expect(!run.errors.contains(complaint), "\(run.errors)")
        }
    }

    @Test(.programs(1)) func `without journalctl it says where the messages are`() async throws {
        let run = try await ProgramRun.of(["logs"], wrapper: ["/usr/bin/env", "PATH=/nonexistent"])
        #expect(run.status == 1)
        #expect(run.errors.contains("cannot find journalctl"))
        #expect(run.errors.contains("standard error"))
    }

    @Test(.programs(1)) func `two services at once are refused`() async throws {
        #expect(try await ProgramRun.of(["logs", "--user", "--system"]).status == 2)
    }
}
