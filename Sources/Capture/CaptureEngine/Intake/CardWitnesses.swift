import FrameFastModel

/// The objects that one session saw on the camera's cards. They tell the next session whether the card that held a photo is in
/// the camera: a photo that its card does not list was deleted, and one whose card was taken out was not.
struct CardWitnesses: Hashable, Sendable {
    /// The most listed objects that are remembered of a storage. If all of these are gone, the card counts as another one.
    static let listedMax = 1_000

    /// Photos that waited when the card was listed, and were on it.
    private var waiting: Set<CaptureID> = []
    /// The last objects of each storage in that list. All of them, and the photos that waited, were there at one time.
    private var listed: [CameraObject] = []
    /// Photos that the camera announced during the session. Somebody may have changed the card between two of them.
    private var announced: [CaptureID: CameraObject] = [:]

    /// Remembers what the card has when the session begins.
    ///
    /// - Parameter waiting: Photos that are not fetched yet.
    mutating func note(_ listing: ObjectList, waiting: [CaptureRecord]) {
        self.waiting = Set(waiting.filter { listing.contains($0.object) }.map(\.id))
        listed = Dictionary(grouping: listing.objects, by: \.storage).values
            .flatMap { $0.suffix(Self.listedMax) }
    }

    /// Remembers photos that the camera announced and that are new to the ledger.
    mutating func note(announced records: [CaptureRecord]) {
        for record in records { announced[record.id] = record.object }
    }

    /// Whether a list of a later session shows that the card of a photo is in the camera. It does if the storage of the photo
    /// has an object that was on the card with it: for a photo that was listed, another of that list; for one that was
    /// announced, also one that was announced before it. What was announced later may be on another card.
    ///
    /// One slot does not tell its cards apart. If a card was changed and changed back in one session, a photo that was announced
    /// on the other card in between counts as deleted, although it is on that card: it is entered again when that card is in
    /// the camera again.
    func showCard(of photo: CaptureRecord, in listing: ObjectList) -> Bool {
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
