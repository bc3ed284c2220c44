import APIClient
import ArgumentParser
import FrameFastAPI
import Localization

struct SessionSealVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Record a session's new photos in an ASC MHL manifest beside them.",
        discussion: """
            Writes the next generation into the folder `ascmhl`, with every photo that no earlier one has. Earlier \
            manifests are never changed. `framefast verify` reads the photos again.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: ArgumentHelp("Its number or name. Without it, the newest one.", valueName: "session"))
    var session: String?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let answer = try context.client.call(\.manifests.seal, try context.client.sessionOrNewest(session))
        context.output.show(SealView(seal: answer.value, json: answer.body))
        return .success
    }
}

extension FrameFastClient {
    /// The session that a number or a name stands for; the newest one without either.
    func sessionOrNewest(_ text: String?) throws(ClientError) -> SessionID {
        if let given = try sessionID(text) { return given }
        guard let newest = try call(\.sessions.list, .init(limit: 1)).value.sessions.first else {
            throw .refused(
                .init(
                    code: .notFound, message: localized("cannot choose a session: there is none"),
                    nextStep: localized("Start one with 'framefast session start NAME'.")))
        }
        return newest.id
    }
}
