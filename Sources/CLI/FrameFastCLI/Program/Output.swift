import FoundationEssentials
import FrameFastAPI
import Glibc
import TerminalUI

/// Something that can be printed in every format.
protocol Presentation {
    /// JSON as the daemon sent it: what this build does not know survives.
    var json: Data { get }
    /// The same as one value a line, where a program reads them one by one.
    var jsonLines: [Data] { get }
    /// For people: glyphs, colours where the style has them.
    func human(_ style: Style) -> [String]
    /// Full words, one fact a line.
    func plain() -> [String]
}

extension Presentation {
    var jsonLines: [Data] { [json] }
}

/// A presentation that is made of components.
protocol ComponentPresentation: Presentation {
    /// What is shown, from top to bottom.
    var parts: [any Component] { get }
}

extension ComponentPresentation {
    func human(_ style: Style) -> [String] { parts.flatMap { $0.lines(style.page) }.map(style.encode) }
}

/// Standard output and standard error.
struct Output {
    let format: OutputFormat
    let style: Style

    func show(_ presentation: some Presentation) {
        format.lines(
            human: presentation.human(style), plain: presentation.plain(),
            json: presentation.jsonLines.map { TerminalText.escapedJSON($0) }
        ).forEach(line)
    }

    /// Prints what people read beside the answer; programs get only that.
    func note(_ view: some Component) {
        format.lines(
            human: view.lines(style.page).map(style.encode), plain: view.plain(), json: []
        )
        .forEach(line)
    }

    /// Prints a line, whatever the format.
    func line(_ text: String) {
        FileDescriptorText.write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
    }

    /// Says on standard error what is going on, in a line that the next one replaces; nothing off a terminal.
    ///
    /// - Parameter text: `nil` when it is over.
    func progress(_ text: String?) {
        guard isatty(STDERR_FILENO) == 1, format.isForPeople else { return }
        FileDescriptorText.write("\r\u{1B}[K" + (text.map(TerminalText.escaped) ?? ""), to: STDERR_FILENO)
    }

    /// Says on standard error why it failed.
    func fail(_ explanation: Explanation) {
        let message = Line("framefast: " + explanation.message)
        let step = explanation.nextStep.map { Line($0).indented(Spacing.base) }
        let words = [message, step].compactMap { $0?.text }
        let json = (try? WireCoder.encode(explanation.reply)).map { [TerminalText.escapedJSON($0)] }
        for text in format.lines(human: words, plain: words, json: json ?? words) {
            FileDescriptorText.write(text + "\n", to: STDERR_FILENO)
        }
    }
}
