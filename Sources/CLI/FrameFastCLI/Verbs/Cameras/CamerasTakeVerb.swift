import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc
import Localization
import TerminalUI

struct CamerasTakeVerb: Verb {
    /// Seconds that the service has to connect a camera that was let go.
    static let connectSeconds = 30
    /// Milliseconds between two looks at it.
    private static let pauseMs: Int32 = 250

    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Free a camera that the desktop has, so that FrameFast can use it.",
        discussion: """
            Says which program has the camera. When it is the desktop of this login (gvfs), asks for confirmation unless \
            --yes is given, has the desktop let go of the camera as its file manager would, and waits until the camera is \
            connected. No program is ended: of any other the answer says what to close. Exits with 4 when something has \
            to be closed first or the camera is not connected after \(connectSeconds) s, 5 when the program belongs to \
            another user, and 130 when the answer is no.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The camera's id or name.")
    var camera: CameraReference

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.cameras.get, camera)
        switch TakePlan(answer.value, isRoot: geteuid() == 0, holder: CameraHolder.find) {
        case .isTethered:
            context.output.show(
                CameraDoneView(word: Message("Tethered"), camera: answer.value, json: answer.body))
            return .success
        case .leave(let explanation):
            context.output.fail(explanation)
            return explanation.status
        case .askDesktop(let holder, let node):
            let view = ConfirmView(
                .warning, question: localized("Have the desktop let go of \(answer.value.name)?"),
                consequence:
                    localized("\(holder.words) has it.") + " "
                    + localized(
                        "Folders of the camera that are open in the file manager close, and a copy that runs stops."
                    ))
            switch Confirmation.ask(view, isAnswered: yes, context.output) {
            case .yes: break
            case .no:
                context.output.line(localized("Nothing was changed."))
                return .left
            case .cannotAsk: return .usage
            }
            do { try DesktopProgram.unmount(node) } catch {
                return fail(
                    answer.value, localized("cannot take \(answer.value.name): \(error.words)"),
                    localized("Eject the camera in the file manager, or close what uses it there."), context)
            }
            return try awaitConnection(of: answer.value, after: holder, context)
        }
    }

    private func awaitConnection(of taken: CameraReply, after holder: CameraHolder, _ context: Context)
        throws(ClientError) -> ExitStatus
    {
        let deadline = Deadline(seconds: Self.connectSeconds)
        context.output.progress(
            localized("\(holder.words) let go of \(taken.name). Waiting for it to be connected"))
        defer { context.output.progress(nil) }
        while true {
            let now = try context.client.call(\.cameras.get, CameraReference(taken.id))
            if case .isTethered = TakePlan(now.value, isRoot: false, holder: { _ in nil }) {
                context.output.progress(nil)
                context.output.note(
                    BannerView(
                        .success, localized("Freed"), localized("\(holder.words) let go of \(taken.name).")))
                context.output.show(
                    CameraDoneView(word: Message("Tethered"), camera: now.value, json: now.body))
                return .success
            }
            guard !deadline.isOver else {
                context.output.progress(nil)
                return fail(
                    taken,
                    localized(
                        "\(holder.words) let go of \(taken.name), which is not connected after \(Self.connectSeconds) s"
                    ),
                    now.value.guidance?.steps.first
                        ?? localized("See what it does with `framefast cameras`."), context)
            }
            poll(nil, 0, Self.pauseMs)
        }
    }

    private func fail(_ taken: CameraReply, _ message: String, _ nextStep: String, _ context: Context)
        -> ExitStatus
    {
        let explanation = Explanation(
            status: .attention, code: .conflict, message: message, nextStep: nextStep)
        context.output.fail(explanation)
        return explanation.status
    }
}
