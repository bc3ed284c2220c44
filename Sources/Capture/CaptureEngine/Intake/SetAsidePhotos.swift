import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import SystemPackage

/// Photos on the card that could not be transferred intact and wait for the user. These photos are damaged,
/// or too large for a network connection (movies of 4 GiB and more).
final class SetAsidePhotos {
    /// The failure that the ledger stores for an object that is too large for the link.
    static let tooLarge = "it is larger than this connection can transfer"

    /// The last sentence of the next step for an object that is too large. The service cannot detect that the
    /// user copied the file.
    private static let endOfTooLarge = "This message clears when the file is no longer on the card."

    private let context: ConnectionContext
    private var photos: [CaptureID: CaptureRecord] = [:]
    /// The photos of earlier connections whose records have no time, and that are missing in the card's list.
    /// The list may contain the same photos with their times.
    private var withoutTime: [CaptureID] = []

    init(_ context: ConnectionContext) { self.context = context }

    /// Returns whether a photo is set aside.
    func contains(_ id: CaptureID) -> Bool { photos[id] != nil }

    /// Removes a photo that the user wants to fetch again.
    ///
    /// - Returns: Whether the photo was set aside.
    func remove(_ id: CaptureID) -> Bool {
        guard photos.removeValue(forKey: id) != nil else { return false }
        updateConditions()
        return true
    }

    /// The photos that another transfer may return intact, oldest first. The card slot, the cable or a
    /// temporary fault may have caused the damage. Excludes photos in a camera's memory, because the memory
    /// sends a photo only once.
    var retryable: [CaptureRecord] {
        photos.values.filter { !$0.object.isInMemory && !isLeftForAnotherLink($0) }.sorted { $0.id < $1.id }
    }

    private func isLeftForAnotherLink(_ record: CaptureRecord) -> Bool {
        record.failure == Self.tooLarge && context.connection.configured.isNetwork
    }

    // MARK: changes

    /// Saves the received bytes of a damaged photo. Release a photo in the camera's memory only after this
    /// function returns.
    nonisolated(nonsending) func saveBytes(
        _ partPath: String, of record: CaptureRecord
    ) async throws(SystemCallError) {
        // The user may retry the photo at any moment. The next fetch reuses the part file's name.
        let asidePath = context.shared.parts.asidePath(record.id)
        try? DurableFile.remove(asidePath)
        _ = try DurableFile.publish(partPath, as: asidePath)
        try await context.shared.publisher.keepAside(
            asidePath, as: path(record), isOnlyHere: record.object.isInMemory)
    }

    /// Adds a photo that is set aside in the ledger.
    nonisolated(nonsending) func append(_ id: CaptureID, _ how: String) async {
        if var record = try? await context.ledger.capture(id: id) {
            record.failure = how
            context.shared.onCapture(record)
            photos[record.id] = record
        }
        updateConditions()
    }

    /// Removes a damaged photo after a new transfer returned intact bytes. Deletes the damaged bytes.
    func removeIntact(_ record: CaptureRecord) {
        guard photos.removeValue(forKey: record.id) != nil else { return }
        try? DurableFile.remove(path(record))
        updateConditions()
    }

    /// Forgets a damaged photo after an intact photo with the same facts in another folder was saved. Does
    /// nothing while the listed card still has the damaged photo in its old folder.
    nonisolated(nonsending) func forgetDamaged(_ id: CaptureID) async {
        guard photos[id] == nil else { return }
        try? await context.ledger.forgetLaterSaved([id])
    }

    /// Forgets damaged photos whose times were misread, after they were saved with their times. The
    /// damaged bytes stay. If a photo was announced and set aside again without a time, its record stays for
    /// the next retry of damaged photos.
    nonisolated(nonsending) func forgetSavedWithTime() async {
        try? await context.ledger.forgetLaterSaved(withoutTime.filter { photos[$0] == nil })
    }

    /// Loads the photos that earlier connections set aside and that are still on the card. Deletes the
    /// records of two groups of photos that are missing in the list:
    ///
    /// - Photos whose facts were misread and that have no received bytes. The card has these photos with the
    ///   right facts.
    /// - Photos that were saved later, from another folder or with the time that their records lack. Their
    ///   received bytes stay.
    nonisolated(nonsending) func load(on listing: ObjectList, _ seen: SeenObjects) async throws {
        let waiting = try await context.ledger.setAsideCaptures(camera: context.identity)
        photos = Dictionary(
            uniqueKeysWithValues: waiting.filter { listing.contains($0.object) }.map { ($0.id, $0) })
        let misread = waiting.filter { record in
            seen.isFromEarlierConnection(record) && !record.object.isInMemory && photos[record.id] == nil
                && seen.isProbablyTruncated(record.object) && !isKept(record)
        }
        try await context.ledger.forget(misread.map(\.id))
        for record in misread { try? DurableFile.remove(path(record)) }
        let absent = waiting.filter { seen.isFromEarlierConnection($0) && photos[$0.id] == nil }
        withoutTime = absent.filter { $0.object.cameraTime == nil }.map(\.id)
        try await context.ledger.forgetLaterSaved(
            withoutTime + absent.filter { listing.hasElsewhere($0.object) }.map(\.id))
        updateConditions()
    }

    // MARK: files

    private func path(_ record: CaptureRecord) -> String {
        "\(context.shared.settings.setAsideFolder)/\(record.id)-\(SafeName.component(record.object.name))"
    }

    /// Returns whether received bytes of a photo exist in the folder of set-aside photos.
    private func isKept(_ record: CaptureRecord) -> Bool {
        do { return try FileReader(path(record)).size > 0 } catch {
            return error.errno != .noSuchFileOrDirectory
        }
    }

    // MARK: conditions

    private func updateConditions() {
        updateTooLargeCondition(photos.values.filter { $0.failure == Self.tooLarge })
        updateDamagedCondition(photos.values.filter { $0.failure != Self.tooLarge })
    }

    private func updateDamagedCondition(_ damaged: [CaptureRecord]) {
        guard let last = damaged.max(by: { $0.id < $1.id }) else { return context.clear(.photoDamaged) }
        let name = SafeName.component(last.object.name)
        let why = last.failure ?? "unreadable"
        let isOnlyHere = damaged.allSatisfy(\.object.isInMemory)
        let place = isOnlyHere ? "arrived damaged from the camera's memory" : "damaged on the card"
        let folder = context.shared.settings.setAsideFolder
        context.raise(
            .photoDamaged,
            sentence: "\(context.name): "
                + (damaged.count == 1
                    ? "\(name) \(isOnlyHere ? "" : "is ")\(place) (\(why))."
                    : "\(damaged.count) photos \(isOnlyHere ? "" : "are ")\(place) (last: \(name), \(why))."),
            nextStep: isOnlyHere
                ? "The received data is in \(folder). The camera's memory no longer has the photo: look for it "
                    + "on the camera's card, if it has one."
                : "Check the photo on the camera: it stays on the card and is read again at intervals. "
                    + "'framefast captures retry' reads the photo now. The received data is in \(folder)."
        )
    }

    private func updateTooLargeCondition(_ left: [CaptureRecord]) {
        guard let largest = left.max(by: { $0.object.size < $1.object.size }) else {
            return context.clear(.tooLargeForLink)
        }
        let name = SafeName.component(largest.object.name)
        let others = left.count > 1 ? " and \(left.count - 1) more" : ""
        context.raise(
            .tooLargeForLink,
            sentence:
                "\(context.name): \(name)\(others) cannot be transferred over this connection. "
                + "Files above the connection's limit of 4.3 GB stay on the card and are not saved here.",
            nextStep: context.connection.configured.isNetwork
                ? "Copy the file with a card reader, or connect the camera by USB. Do not format the card until then. \(Self.endOfTooLarge)"
                : "Copy the file with a card reader. Do not format the card until then. \(Self.endOfTooLarge)"
        )
    }
}
