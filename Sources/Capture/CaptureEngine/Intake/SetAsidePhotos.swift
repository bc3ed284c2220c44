import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import SystemPackage

/// Photos that are on the card, did not come whole, and wait for a person: those that are damaged, and those that are too
/// large for the link (movies of 4 GiB and more, over the network).
final class SetAsidePhotos {
    /// What the ledger keeps of an object that the driver cannot bring over this link.
    static let tooLarge = "it is larger than this connection can bring"

    /// A copy that a person makes is not seen here.
    private static let endOfTooLarge = "This message ends when it is not on the card any more."

    private let context: SessionContext
    private var photos: [CaptureID: CaptureRecord] = [:]

    init(_ context: SessionContext) { self.context = context }

    /// Whether a photo waits here.
    func contains(_ id: CaptureID) -> Bool { photos[id] != nil }

    /// A person wants a photo once more.
    ///
    /// - Returns: whether it waited here.
    func takeBack(_ id: CaptureID) -> Bool {
        guard photos.removeValue(forKey: id) != nil else { return false }
        tell()
        return true
    }

    /// What is worth another reading, oldest first: what was wrong may have been the reader, the cable or the moment, and
    /// not the card. A camera's memory gives a photo once.
    var toReadAgain: [CaptureRecord] {
        photos.values.filter { !$0.object.isInMemory && !isLeftForAnotherLink($0) }.sorted { $0.id < $1.id }
    }

    private func isLeftForAnotherLink(_ record: CaptureRecord) -> Bool {
        record.failure == Self.tooLarge && context.session.configured.isNetwork
    }

    // MARK: on their way here

    /// Keeps what came of a photo that is damaged; only then the camera may let go of it.
    nonisolated(nonsending) func keep(
        _ partPath: String, of record: CaptureRecord
    ) async throws(SystemCallError) {
        // A person may ask for it again at any moment: the next fetch takes the part file's name.
        let came = context.shared.parts.asidePath(record.id)
        try? DurableFile.remove(came)
        _ = try DurableFile.publish(partPath, as: came)
        try await context.shared.publisher.keepAside(
            came, as: path(record), isOnlyHere: record.object.isInMemory)
    }

    /// Takes a photo that the ledger has as set aside.
    nonisolated(nonsending) func append(_ id: CaptureID, _ how: String) async {
        if var told = try? await context.ledger.capture(id: id) {
            told.failure = how
            context.shared.onCapture(told)
            photos[told.id] = told
        }
        tell()
    }

    /// A photo that was damaged came whole: what was kept of the damaged one is not needed any more.
    func cameWhole(_ record: CaptureRecord) {
        guard photos.removeValue(forKey: record.id) != nil else { return }
        try? DurableFile.remove(path(record))
        tell()
    }

    /// A photo came whole that agrees with another one in all but its folder: that one is forgotten when it was damaged and
    /// the card, which was listed, has it no more where it was.
    nonisolated(nonsending) func forget(twin: CaptureID) async {
        guard photos[twin] == nil else { return }
        try? await context.ledger.forgetSavedElsewhere([twin])
    }

    /// Takes what an earlier session set aside, as far as it is still on the card. What was set aside under misread facts
    /// is forgotten when nothing of it came: the card has the photo under its own. So is what the card has in another folder
    /// now, and what came whole from there; what was kept of it stays.
    nonisolated(nonsending) func takeUp(on listing: ObjectList, _ seen: SeenObjects) async throws {
        let waiting = try await context.ledger.waitingForPerson(camera: context.identity)
        photos = Dictionary(
            uniqueKeysWithValues: waiting.filter { listing.contains($0.object) }.map { ($0.id, $0) })
        let nothing = waiting.filter { record in
            seen.isOfEarlier(record) && !record.object.isInMemory && photos[record.id] == nil
                && seen.looksCutShort(record.object) && !isKept(record)
        }
        try await context.ledger.forget(nothing.map(\.id))
        for record in nothing { try? DurableFile.remove(path(record)) }
        try await context.ledger.forgetSavedElsewhere(
            waiting.filter { record in
                seen.isOfEarlier(record) && photos[record.id] == nil && listing.hasElsewhere(record.object)
            }.map(\.id))
        tell()
    }

    // MARK: their files

    private func path(_ record: CaptureRecord) -> String {
        "\(context.shared.settings.setAsideFolder)/\(record.id)-\(SafeName.component(record.object.name))"
    }

    /// Whether bytes of a photo lie among those that were set aside.
    private func isKept(_ record: CaptureRecord) -> Bool {
        do { return try FileReader(path(record)).size > 0 } catch {
            return error.errno != .noSuchFileOrDirectory
        }
    }

    // MARK: what people are told

    private func tell() {
        tellTooLarge(photos.values.filter { $0.failure == Self.tooLarge })
        tellDamaged(photos.values.filter { $0.failure != Self.tooLarge })
    }

    private func tellDamaged(_ damaged: [CaptureRecord]) {
        guard let last = damaged.max(by: { $0.id < $1.id }) else { return context.clear(.photoDamaged) }
        let name = SafeName.component(last.object.name)
        let why = last.failure ?? "unreadable"
        let isOnlyHere = damaged.allSatisfy(\.object.isInMemory)
        let place = isOnlyHere ? "came damaged from the camera's memory" : "damaged on the card"
        let folder = context.shared.settings.setAsideFolder
        context.raise(
            .photoDamaged,
            sentence: "\(context.name): "
                + (damaged.count == 1
                    ? "\(name) \(isOnlyHere ? "" : "is ")\(place) (\(why))."
                    : "\(damaged.count) photos \(isOnlyHere ? "" : "are ")\(place) (last: \(name), \(why))."),
            nextStep: isOnlyHere
                ? "What came is in \(folder). The camera's memory has it no more: look for it "
                    + "on the camera's card, if it has one."
                : "Look at it on the camera: it stays on the card and is read again now and then. "
                    + "'framefast captures retry' reads it now; what could be read is in \(folder)."
        )
    }

    private func tellTooLarge(_ left: [CaptureRecord]) {
        guard let largest = left.max(by: { $0.object.size < $1.object.size }) else {
            return context.clear(.tooLargeForLink)
        }
        let name = SafeName.component(largest.object.name)
        let others = left.count > 1 ? " and \(left.count - 1) more" : ""
        context.raise(
            .tooLargeForLink,
            sentence:
                "\(context.name): \(name)\(others) cannot be transferred over this connection, which ends at "
                + "4.3 GB: it stays on the card and is not saved here.",
            nextStep: context.session.configured.isNetwork
                ? "Copy it with a card reader, or connect the camera by USB. Do not format the card before. \(Self.endOfTooLarge)"
                : "Copy it with a card reader. Do not format the card before. \(Self.endOfTooLarge)")
    }
}
