import ArgumentParser

/// The command reference, made of the same definitions as the parser and its help.
enum CommandReference {
    private static let columns = 100

    static func markdown() -> String {
        var lines = [
            "# Command reference", "", "This is what `framefast help` prints, verb by verb.", "",
            "## Exit statuses", "", "| status | meaning |", "|---|---|",
        ]
        lines += ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
        add(FrameFast.self, path: [], to: &lines)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func add(_ command: any ParsableCommand.Type, path: [String], to lines: inout [String]) {
        let configuration = command.configuration
        guard configuration.shouldDisplay, let name = configuration.commandName else { return }
        let path = path + [name]
        let help = FrameFast.helpMessage(for: command, columns: columns)
        let clean = help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        lines += ["", "## `\(path.joined(separator: " "))`", "", "```text"] + clean + ["```"]
        for child in configuration.subcommands { add(child, path: path, to: &lines) }
    }
}
