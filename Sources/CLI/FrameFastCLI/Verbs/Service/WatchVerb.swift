import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc
import TerminalUI

struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watch cameras, photos and uploads on a live screen.",
        discussion: """
            Requires a terminal with at least 40 columns. On other terminals, use `framefast status \
            --follow` or `framefast events --follow`. The screen stays open while framefastd restarts.

            Keys:
            \(HelpTable.text(WatchCommand.allCases.map { ($0.keys, $0.meaning) }))
            """)

    @OptionGroup var global: GlobalOptions

    /// The help of the option `--still`, here and in `connect`.
    static let stillHelp: ArgumentHelp = "Disable animation, like FRAMEFAST_REDUCE_MOTION=1."

    @Flag(help: stillHelp)
    var still = false

    @Flag(help: "Ring the terminal's bell when something new needs attention.")
    var bell = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        guard context.output.format.mayBeScreen, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            environment("TERM") != "dumb"
        else {
            context.output.printError(
                Explanation(
                    status: .usage, code: .invalid, message: "cannot show a live screen in this terminal",
                    nextStep: "Use `framefast status --follow` or `framefast events --follow`."))
            return .usage
        }
        let run = WatchRun(
            client: context.client, clock: context.clock,
            isStill: still || Motion.isReduced(environment), ringsBell: bell)
        if let signal = run.run(style: context.output.style) { SignalThread.die(of: signal) }
        return .success
    }
}
