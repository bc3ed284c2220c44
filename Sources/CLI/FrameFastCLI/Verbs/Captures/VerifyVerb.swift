import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc
import Localization

struct VerifyVerb: Verb {
    /// How often the daemon is asked, in milliseconds.
    private static let pauseMs: Int32 = 250

    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Read a session's photos again and compare them with its manifests.",
        discussion: """
            Reads every recorded file that is here, behind all other work, and writes what it found as one more \
            generation. Photos that were cleared after their delivery are listed and are no fault. Ctrl-C leaves it \
            running; --cancel ends it.
            Exits with 0 when all is as recorded, 10 when a file is missing, 11 when one was changed, 30 when the session \
            was never sealed, 31 when a manifest was edited, 32 when the chain file is gone, 33 when a manifest is gone.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: ArgumentHelp("Its number or name. Without it, the newest one.", valueName: "session"))
    var session: String?

    @Flag(help: "Do not wait for the end.")
    var detach = false

    @Flag(help: "End the verification that is running.")
    var cancel = false

    func validate() throws {
        if cancel && (detach || session != nil) { throw ValidationError(localized("--cancel stands alone")) }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if cancel {
            return show(try context.client.call(\.manifests.cancel), context)
        }
        let begun = try context.client.call(
            \.manifests.verify, try context.client.sessionOrNewest(session))
        if detach { return show(begun, context) }
        while true {
            let now = try context.client.call(\.manifests.verification)
            guard now.value.state == .running else {
                context.output.progress(nil)
                return show(now, context)
            }
            context.output.progress(VerificationView.progress(now.value))
            poll(nil, 0, Self.pauseMs)
        }
    }

    private func show(_ answer: FrameFastClient.Answer<VerificationReply>, _ context: Context) -> ExitStatus {
        context.output.show(VerificationView(verification: answer.value, json: answer.body))
        return switch answer.value.result {
        case nil: answer.value.state == .failed ? .failed : .success
        case .intact?: .success
        case .missing?: .filesMissing
        case .changed?: .filesChanged
        case .manifestEdited?: .manifestEdited
        case .manifestGone?: .manifestGone
        case .chainGone?: .chainGone
        case .notSealed?: .notSealed
        default: .failed
        }
    }
}
