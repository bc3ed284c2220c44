import APIClient
import ArgumentParser
import FrameFastAPI
import Localization

/// A photo as a person gives it: its number, the name of its file, or the file's path.
struct PhotoArgument: ExpressibleByArgument {
    static let help = ArgumentHelp(
        "The photo: its id, or its file's name, here or in the camera, or its path.", valueName: "photo")

    private let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The photos that it may mean, newest first: a camera begins its names anew after some thousand.
    private func all(_ client: FrameFastClient) throws(ClientError) -> [CaptureReply] {
        // A file may be called `12` as well, but then it has no ending, and cameras give each file one.
        if let id = CaptureID(pathText: text) { return [try client.call(\.captures.get, id).value] }
        return try client.call(\.captures.list, CapturesQuery(name: text)).value.captures
    }

    /// The only photo that it can mean; refuses what means none, or several.
    func only(_ client: FrameFastClient) throws(ClientError) -> CaptureID {
        let photos = try all(client)
        guard let first = photos.first else {
            throw .refused(
                .init(
                    code: .notFound, message: localized("there is no photo '\(text)'"),
                    nextStep: localized("List them with 'framefast captures'.")))
        }
        guard photos.count == 1 else {
            let ids = photos.prefix(Self.shownMax).map {
                localized(
                    "\($0.id) of \(Formatted.time($0.capturedAt ?? $0.detectedAt))", "a number and its time")
            }
            throw .refused(
                .init(
                    code: .conflict,
                    message: localized("\(Formatted.photos(photos.count)) are called '\(text)'"),
                    nextStep: localized("Give its id: \(ids.joined(separator: ", ")).")))
        }
        return first.id
    }

    /// Photos of one name that are told apart in a message.
    private static let shownMax = 5
}
