import FrameFastModel

/// The objects that were on the camera's cards during one connection. With these objects, the next connection
/// checks whether the card of a missing photo is in the camera. If the card is in the camera, the photo was
/// deleted. If the card was removed, the photo still exists.
struct CardFingerprint: Hashable, Sendable {
    /// The maximum number of objects that are stored for each storage. If all of them are missing, the card
    /// is treated as a different card.
    static let listedMax = 1_000

    /// The photos on the card that waited for transfer when the card was listed.
    private var waiting: Set<CaptureID> = []
    /// The last objects of each storage in the list. These objects were on the card at the same time as the
    /// waiting photos.
    private var listed: [CameraObject] = []
    /// The photos that the camera announced during the connection. The user may have changed the card between
    /// two photos.
    private var announced: [CaptureID: CameraObject] = [:]

    /// Records the objects on the card at the start of the connection.
    ///
    /// - Parameter waiting: The photos that are not fetched yet.
    mutating func record(_ listing: ObjectList, waiting: [CaptureRecord]) {
        self.waiting = Set(waiting.filter { listing.contains($0.object) }.map(\.id))
        listed = Dictionary(grouping: listing.objects, by: \.storage).values
            .flatMap { $0.suffix(Self.listedMax) }
    }

    /// Records photos that the camera announced and that are new to the ledger.
    mutating func record(announced records: [CaptureRecord]) {
        for record in records { announced[record.id] = record.object }
    }

    /// Returns whether a list of a later connection proves that the card of a photo is in the camera. The
    /// list is a proof if it contains an object that was in the same storage at the same time as the photo.
    /// Such an object was in the earlier connection's listing or, for an announced photo, was announced
    /// before the photo. An object that was announced later may be on another card.
    ///
    /// The cards of one slot can't be distinguished. If the user inserts a second card and then the first
    /// card again during one connection, a photo on the second card may be treated as deleted. The ledger
    /// records the photo again when its card is back in the camera.
    func provesCard(of photo: CaptureRecord, in listing: ObjectList) -> Bool {
        let storage = photo.object.storage
        guard !storage.isEmpty, waiting.contains(photo.id) || announced[photo.id] != nil else { return false }
        func isThere(_ object: CameraObject) -> Bool {
            object.storage == storage && listing.contains(object)
        }
        if listed.contains(where: isThere) { return true }
        guard !waiting.contains(photo.id) else { return false }
        return announced.contains { $0.key < photo.id && isThere($0.value) }
    }
}
