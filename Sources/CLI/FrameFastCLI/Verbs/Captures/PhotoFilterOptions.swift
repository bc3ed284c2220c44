import APIClient
import ArgumentParser
import FrameFastAPI

/// Options that filter photos by session and camera.
struct PhotoFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only photos of this session: its number or name.", valueName: "session"))
    var session: String?

    @Option(help: ArgumentHelp("Only photos of this camera: its id or name.", valueName: "camera"))
    var camera: CameraReference?

    /// Whether no filter is given.
    var isEmpty: Bool { session == nil && camera == nil }
}

extension FrameFastClient {
    /// Returns the number of the session with this number or name, or `nil` if `text` is `nil`.
    ///
    /// - Throws: An error if no session or several sessions have the name.
    func sessionID(_ text: String?) throws(ClientError) -> SessionID? {
        guard let text else { return nil }
        if let id = Int64(text) { return SessionID(rawValue: id) }
        let named = try call(\.sessions.list, .init()).value.sessions.filter { $0.name == text }
        guard named.count == 1 else {
            let message =
                named.isEmpty
                ? "cannot find session '\(text)'"
                : "cannot choose a session: \(named.count) sessions are named '\(text)'"
            throw .refused(
                .init(
                    code: named.isEmpty ? .notFound : .conflict, message: message,
                    nextStep: "Use the number that `framefast session list --plain` shows."))
        }
        return named[0].id
    }
}
