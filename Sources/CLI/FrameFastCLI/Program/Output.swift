import FoundationEssentials
import FrameFastAPI
import Glibc
import TerminalUI

/// A result that can be printed in every format.
protocol Presentation {
    /// The JSON from the daemon, including fields that this version does not know.
    var json: Data { get }
    /// Returns lines for people.
    func lines(_ layout: Layout) -> [Line]
    /// Returns plain text, one fact per line.
    func plain() -> [String]
}

extension Presentation {
    /// Returns lines for people, with symbols, and with colors if the style has colors.
    func human(_ style: Style) -> [String] { lines(style.page).map(style.encode) }
}

/// A presentation that is made of components.
protocol ComponentPresentation: Presentation {
    /// The components, from top to bottom.
    var parts: [any Component] { get }
}

extension ComponentPresentation {
    func lines(_ layout: Layout) -> [Line] { parts.flatMap { $0.lines(layout) } }
}

/// A printer of results to standard output, and of errors and progress to standard error.
struct Output {
    let format: OutputFormat
    let style: Style

    func show(_ presentation: some Presentation) {
        format.lines(
            human: presentation.human(style), plain: presentation.plain(),
            json: [TerminalText.escapedJSON(presentation.json)]
        ).forEach(printLine)
    }

    /// Prints an extra note for people. The JSON format omits such notes.
    func printNote(_ view: some Component) {
        format.lines(human: view.lines(style.page).map(style.encode), plain: view.plain(), json: [])
            .forEach(printLine)
    }

    /// Prints a line to standard output, regardless of the format. Ends the program if the line cannot be
    /// written, for example because the disk is full. Otherwise, a script would use a truncated list.
    func printLine(_ text: String) {
        let line = text.hasSuffix("\n") ? text : text + "\n"
        guard !FileDescriptorText.write(Array(line.utf8), to: STDOUT_FILENO) else { return }
        let number = errno
        // The parent ignores SIGPIPE, as systemd does by default, and the reader has closed the pipe.
        if number == EPIPE { SignalThread.die(of: SIGPIPE) }
        printError(
            Explanation(
                status: .failed, code: .internal,
                message: "cannot write to standard output: \(String(cString: strerror(number)))",
                nextStep: nil))
        exit(ExitStatus.failed.rawValue)
    }

    /// Replaces the progress line on standard error.
    ///
    /// Prints nothing if standard error is not a terminal, or in the JSON format.
    ///
    /// - Parameter text: The progress, or `nil` to clear the line.
    func showProgress(_ text: String?) {
        guard isatty(STDERR_FILENO) == 1, format.isForPeople else { return }
        FileDescriptorText.write("\r\u{1B}[K" + (text.map(TerminalText.escaped) ?? ""), to: STDERR_FILENO)
    }

    /// Prints an error to standard error.
    func printError(_ explanation: Explanation) {
        let message = Line("framefast: " + explanation.message)
        let step = explanation.nextStep.map { Line($0).indented(Spacing.base) }
        let words = [message, step].compactMap { $0?.text }
        let json = (try? WireCoder.encode(explanation.reply)).map { [TerminalText.escapedJSON($0)] }
        for text in format.lines(human: words, plain: words, json: json ?? words) {
            FileDescriptorText.write(text + "\n", to: STDERR_FILENO)
        }
    }
}
