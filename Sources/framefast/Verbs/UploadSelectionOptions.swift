import APIClient
import ArgumentParser
import FrameFastAPI

/// Which uploads a verb is about.
struct UploadSelectionOptions: ParsableArguments {
    @Option(
        name: [.customLong("to"), .customLong("destination")],
        help: ArgumentHelp("Only uploads to this destination.", valueName: "name"))
    var destination: String?

    @Option(help: ArgumentHelp("Only photos of this session: its number or name.", valueName: "session"))
    var session: String?

    @Option(help: ArgumentHelp("Only photos of this camera: its id or name.", valueName: "camera"))
    var camera: String?

    @Option(help: ArgumentHelp("Only uploads in this state: \(UploadWords.states).", valueName: "word"))
    var state: String?

    @Argument(help: ArgumentHelp("Only uploads with these numbers, as listed.", valueName: "number"))
    var numbers: [Int64] = []

    func validate() throws {
        if let state, UploadWords.state(state) == nil {
            throw ValidationError("--state is one of \(UploadWords.states)")
        }
        if numbers.count > UploadSelection.idsMax {
            throw ValidationError("at most \(UploadSelection.idsMax) numbers can be given")
        }
    }

    /// The selection in the daemon's terms; everything when nothing is given.
    func selection(_ client: FrameFastClient) throws(ClientError) -> UploadSelection {
        var selection = UploadSelection(
            destination: destination, session: try client.sessionID(session),
            camera: try client.cameraID(camera), state: state.flatMap(UploadWords.state),
            ids: numbers.isEmpty ? nil : numbers)
        if selection.isEmpty { selection.all = true }
        return selection
    }

    /// Whether nothing narrows it down.
    var isEmpty: Bool {
        destination == nil && session == nil && camera == nil && state == nil && numbers.isEmpty
    }

    /// In words, behind `12 uploads`: ` to nas`.
    var words: String { destination.map { " to \($0)" } ?? "" }
}

extension FrameFastClient {
    /// The number of a session that a person gave by its number or its name.
    func sessionID(_ text: String?) throws(ClientError) -> Int64? {
        guard let text else { return nil }
        if let id = Int64(text) { return id }
        let named = try sessions().value.sessions.filter { $0.name == text }
        guard named.count == 1 else {
            let message =
                named.isEmpty
                ? "cannot find session '\(text)'"
                : "cannot tell which session is meant: \(named.count) are called '\(text)'"
            throw .refused(
                .init(
                    code: named.isEmpty ? .notFound : .conflict, message: message,
                    nextStep: "Give the number that `framefast session list --plain` shows."))
        }
        return named[0].id
    }

    fileprivate func cameraID(_ text: String?) throws(ClientError) -> String? {
        if let text { try cameraID(text) as String } else { nil }
    }
}
