import FrameFastAPI
import Glibc
import TerminalUI

/// Asks a person to confirm an action that cannot be undone.
enum Confirmation {
    /// The result of asking.
    enum Response {
        case yes, no
        /// The program cannot prompt, because it does not run on a terminal.
        case cannotAsk
    }

    /// Asks for confirmation if the command line does not contain `--yes`. Prints an error if the program
    /// cannot prompt.
    static func ask(_ view: ConfirmView, isConfirmed: Bool, _ output: Output) -> Response {
        if isConfirmed { return .yes }
        guard output.format.isForPeople, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            output.printError(
                Explanation(
                    status: .usage, code: .invalid,
                    message: "cannot ask for confirmation: \(view.question)",
                    nextStep: "Add --yes to confirm."))
            return .cannotAsk
        }
        let layout = output.style.layout()
        view.lines(layout).map(output.style.encode).forEach(output.printLine)
        FileDescriptorText.write(
            output.style.encode(view.prompt(layout)) + Span.gap(Spacing.xs).text, to: STDOUT_FILENO)
        guard let line = readLine()?.lowercased() else {
            output.printLine("")
            return .no
        }
        return ["y", "yes"].contains(line) ? .yes : .no
    }
}
