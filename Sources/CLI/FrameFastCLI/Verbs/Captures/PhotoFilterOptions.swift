import APIClient
import ArgumentParser
import FrameFastAPI
import Localization

/// Whose photos are meant.
struct PhotoFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only photos of this session: its number or name.", valueName: "session"))
    var session: String?

    @Option(help: ArgumentHelp("Only photos of this camera: its id or name.", valueName: "camera"))
    var camera: CameraReference?

    /// Whether nothing narrows it down.
    var isEmpty: Bool { session == nil && camera == nil }
}

extension FrameFastClient {
    /// The number of a session that a person gave by its number or its name.
    func sessionID(_ text: String?) throws(ClientError) -> SessionID? {
        guard let text else { return nil }
        if let id = Int64(text) { return SessionID(rawValue: id) }
        let named = try call(\.sessions.list, .init()).value.sessions.filter { $0.name == text }
        guard named.count == 1 else {
            let message =
                named.isEmpty
                ? localized("cannot find session '\(text)'")
                : localized("cannot choose a session: \(named.count) are called '\(text)'")
            throw .refused(
                .init(
                    code: named.isEmpty ? .notFound : .conflict, message: message,
                    nextStep: localized("Give the number that `framefast session list --plain` shows.")))
        }
        return named[0].id
    }
}
