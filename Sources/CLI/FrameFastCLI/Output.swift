import FoundationEssentials
import FrameFastAPI
import Glibc
import TerminalUI

/// How to print.
enum OutputFormat {
    case human, json, plain
}

/// Something that can be printed in every format.
protocol Presentation {
    /// JSON as the daemon sent it: what this build does not know survives.
    var json: Data { get }
    /// For people: glyphs, colours where the style has them.
    func human(_ style: Style) -> [String]
    /// Full words, one fact a line.
    func plain() -> [String]
}

/// Standard output and standard error, with one place that chooses the format.
struct Output {
    let format: OutputFormat
    let style: Style

    func show(_ presentation: some Presentation) {
        switch format {
        case .json: line(TerminalText.escapedJSON(presentation.json))
        case .human: presentation.human(style).forEach(line)
        case .plain: presentation.plain().forEach(line)
        }
    }

    /// Prints a line of JSON, whatever the format.
    func line(_ text: String) {
        FileDescriptorText.write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
    }

    /// Says on standard error what is going on, in a line that the next one replaces; nothing where nobody looks on.
    ///
    /// - Parameter text: `nil` when it is over.
    func progress(_ text: String?) {
        guard isatty(STDERR_FILENO) == 1, format != .json else { return }
        FileDescriptorText.write("\r\u{1B}[K" + (text.map(TerminalText.escaped) ?? ""), to: STDERR_FILENO)
    }

    /// Says on standard error why nothing came of it.
    func fail(_ explanation: Explanation) {
        if format == .json, let data = try? WireCoder.encode(explanation.reply) {
            FileDescriptorText.write(TerminalText.escapedJSON(data) + "\n", to: STDERR_FILENO)
            return
        }
        var text = "framefast: " + TerminalText.escaped(explanation.message) + "\n"
        if let step = explanation.nextStep { text += "  " + TerminalText.escaped(step) + "\n" }
        FileDescriptorText.write(text, to: STDERR_FILENO)
    }
}
