import ArgumentParser

@testable import FrameFastCLI

/// A generator of `docs/command-reference.md`, from the help of each command.
enum CommandReference {
    /// Returns the command reference as Markdown.
    ///
    /// - Parameter columns: The width of the help, in cells.
    static func markdown(columns: Int = 100) -> String {
        var lines = [
            "# Command reference", "", "The output of `framefast help` for each command.", "",
            "## Exit statuses", "", "| status | meaning |", "|---|---|",
        ]
        lines += ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
        add(FrameFast.self, path: [], columns, to: &lines)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func add(
        _ command: any ParsableCommand.Type, path: [String], _ columns: Int, to lines: inout [String]
    ) {
        let configuration = command.configuration
        guard let name = configuration.commandName else { return }
        let path = path + [name]
        let help = FrameFast.helpMessage(for: command, columns: columns)
        let clean = help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        lines += ["", "## `\(path.joined(separator: " "))`", "", "```text"] + clean + ["```"]
        for child in configuration.subcommands { add(child, path: path, columns, to: &lines) }
    }
}
