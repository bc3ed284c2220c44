import FrameFastAPI
import Glibc
import TerminalUI

/// Asks a person to confirm an action that cannot be undone.
enum Confirmation {
    /// Asks for confirmation. If the program cannot prompt, for example without a terminal, prints an error
    /// instead.
    ///
    /// - Parameters:
    ///   - isConfirmed: Whether the command line contains `--yes`. If so, the function does not ask.
    ///   - refused: The sentence to print if the answer is no.
    /// - Returns: `nil` if the person confirmed the action, otherwise the exit status.
    static func ask(_ view: ConfirmView, isConfirmed: Bool, refused: String, _ output: Output) -> ExitStatus?
    {
        if isConfirmed { return nil }
        guard output.format.isForPeople, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            output.printError(
                Explanation(
                    status: .usage, code: .invalid,
                    message: "cannot ask for confirmation: \(view.question)",
                    nextStep: "Add --yes to confirm."))
            return .usage
        }
        let layout = output.style.layout()
        view.lines(layout).map(output.style.encode).forEach(output.printLine)
        FileDescriptorText.write(
            output.style.encode(view.prompt(layout)) + Span.gap(Spacing.xs).text, to: STDOUT_FILENO)
        let line = readLine()?.lowercased()
        if line == nil { output.printLine("") }
        if let line, ["y", "yes"].contains(line) { return nil }
        output.printLine(refused)
        return .left
    }
}
