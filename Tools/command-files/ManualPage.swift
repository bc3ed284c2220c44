/// Pages for man(1), in the macros of man(7), from the programs' help and the configuration reference.
enum ManualPage {
    /// Returns the page of a program.
    ///
    /// - Parameters:
    ///   - section: 1 for user commands, 8 for administration.
    ///   - seeAlso: The related pages.
    static func program(_ command: CommandHelp, section: Int, seeAlso: [String]) -> String {
        var lines = head(command.commandName, section)
        lines += [".SH NAME", "\(escaped(command.commandName)) \\- \(sentence(command.abstract))"]
        lines += [".SH SYNOPSIS", synopsis(command, path: [command.commandName])]
        lines += [".SH DESCRIPTION"] + text(command.discussion ?? command.abstract ?? "")
        let options = command.shownArguments
        if !options.isEmpty { lines += [".SH OPTIONS"] + options.flatMap(argument) }
        if !command.shownSubcommands.isEmpty {
            lines.append(".SH COMMANDS")
            let described = describedOptions(command)
            for child in command.shownSubcommands {
                lines += verb(child, path: [command.commandName], omitting: described)
            }
        }
        return (lines + tail(seeAlso)).joined(separator: "\n") + "\n"
    }

    /// Returns the options of a program, and the options that the program's description lists. All verbs have
    /// these options, so a page describes them only once.
    private static func describedOptions(_ command: CommandHelp) -> Set<String> {
        let rows = (command.discussion ?? "").split(separator: "\n").map { $0.split(separator: " ") }
        let listed = rows.compactMap(\.first).filter { $0.hasPrefix("--") }.map(String.init)
        let own = command.shownArguments.flatMap { $0.names ?? [] }.map(\.text)
        return Set(listed + own)
    }

    /// Returns the page of a file, from its reference in Markdown.
    static func file(_ name: String, abstract: String, markdown: String, seeAlso: [String]) -> String {
        var lines = head(name, 5)
        lines += [".SH NAME", "\(escaped(name)) \\- \(abstract)", ".SH DESCRIPTION"]
        // A blank line starts a new paragraph, unless a heading follows.
        var isParagraph = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
            let plain = escaped(String(line).replacing("`", with: ""))
            if line.hasPrefix("### ") {
                lines.append(".TP\n.B \(plain.dropFirst(4))")
                isParagraph = false
            } else if line.hasPrefix("## ") {
                lines.append(".SH \"\(plain.dropFirst(3).uppercased().replacing("\"", with: ""))\"")
                isParagraph = false
            } else if line.hasPrefix("- ") {
                lines.append(".br\n\(plain.dropFirst("\\- ".count))")
            } else if line.isEmpty {
                isParagraph = true
            } else {
                if isParagraph, lines.last?.hasPrefix(".") == false { lines.append(".PP") }
                lines.append(plain)
                isParagraph = false
            }
        }
        return (lines + tail(seeAlso)).joined(separator: "\n") + "\n"
    }

    // MARK: Parts

    private static func head(_ name: String, _ section: Int) -> [String] {
        [
            ".\\\" Generated from the program's own definitions when the package is built",
            ".TH \"\(escaped(name.uppercased()))\" \(section) \"\" \"FrameFast\" \"FrameFast manual\"",
            // Turns off justification and hyphenation. Hyphenation would break names.
            ".nh", ".ad l",
        ]
    }

    private static func tail(_ seeAlso: [String]) -> [String] {
        let pages = seeAlso.map { page in
            let parts = page.split(separator: "(")
            return ".BR \(escaped(String(parts[0]))) (\(parts[1])"
        }
        return [".SH SEE ALSO"] + pages.enumerated().map { $0 < pages.count - 1 ? $1 + " ," : $1 }
    }

    private static func verb(
        _ command: CommandHelp, path: [String], omitting described: Set<String>
    ) -> [String] {
        let path = path + [command.commandName]
        var lines: [String] = []
        let children = command.shownSubcommands
        if children.isEmpty {
            lines += [
                ".SS \"\(escaped(path.joined(separator: " ")))\"", synopsis(command, path: path), ".PP",
            ]
            lines.append(sentence(command.abstract) + ".")
            if let discussion = command.discussion { lines += [".PP"] + text(discussion) }
            lines += command.shownArguments.filter { argument in
                !(argument.names ?? []).contains { described.contains($0.text) }
            }.flatMap(argument)
        }
        return lines + children.flatMap { verb($0, path: path, omitting: described) }
    }

    private static func synopsis(_ command: CommandHelp, path: [String]) -> String {
        var parts = ["\\fB\(escaped(path.joined(separator: " ")))\\fR"]
        if !command.shownSubcommands.isEmpty { parts.append("\\fIcommand\\fR") }
        parts.append("[\\fIoptions\\fR]")
        for value in command.shownArguments where value.kind == "positional" {
            let name = "\\fI\(escaped(value.valueName ?? "value"))\\fR" + (value.isRepeating ? " ..." : "")
            parts.append(value.isOptional ? "[\(name)]" : name)
        }
        return parts.joined(separator: " ")
    }

    private static func argument(_ argument: CommandHelp.Argument) -> [String] {
        let names = (argument.names ?? []).map { "\\fB\(escaped($0.text))\\fR" }.joined(separator: ", ")
        let value = argument.valueName.map { "\\fI\(escaped($0))\\fR" } ?? ""
        let head =
            switch argument.kind {
            case "positional": value
            case "option": names + " " + value
            default: names
            }
        let about = [argument.abstract, argument.discussion].compactMap { $0 }.joined(separator: " ")
        let standard = argument.defaultValue.map { " (default: \($0))" } ?? ""
        return [".TP", head, escaped(about + standard)]
    }

    /// Returns the paragraphs of a text. Indented lines keep their layout.
    private static func text(_ text: String) -> [String] {
        var lines: [String] = []
        var isTable = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let belongs = line.hasPrefix("  ")
            if belongs != isTable { lines.append(belongs ? ".PP\n.nf" : ".fi") }
            isTable = belongs
            lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
        }
        return isTable ? lines + [".fi"] : lines
    }

    /// Returns a sentence without its period, escaped.
    private static func sentence(_ text: String?) -> String {
        let text = text ?? ""
        return escaped(text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    /// Escapes roff's special characters: backslashes, dashes, and dots and quotes at the start of a line.
    private static func escaped(_ text: String) -> String {
        let clean = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return clean.hasPrefix(".") || clean.hasPrefix("'") ? "\\&" + clean : clean
    }
}
