import FrameFastAPI
import Glibc
import Localization
import TerminalUI

/// Has a person confirm what cannot be undone.
enum Confirmation {
    /// What came of it.
    enum Answer {
        case yes, no
        /// There is no person to ask.
        case cannotAsk
    }

    /// Asks, unless it was answered on the command line. Where there is no one to ask, standard error says so.
    static func ask(_ view: ConfirmView, isAnswered: Bool, _ output: Output) -> Answer {
        if isAnswered { return .yes }
        guard output.format.isForPeople, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            output.fail(
                Explanation(
                    status: .usage, code: .invalid,
                    message: localized("cannot ask for confirmation: \(view.question)"),
                    nextStep: localized("Add --yes to confirm.")))
            return .cannotAsk
        }
        let layout = output.style.layout()
        view.lines(layout).map(output.style.encode).forEach(output.line)
        FileDescriptorText.write(
            output.style.encode(view.prompt(layout)) + Span.gap(Spacing.xs).text, to: STDOUT_FILENO)
        guard let answer = readLine()?.lowercased() else {
            output.line("")
            return .no
        }
        return ["y", "yes", localized("y", "answer"), localized("yes", "answer")].contains(answer)
            ? .yes : .no
    }
}
