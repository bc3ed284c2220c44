/// The facts that several duties of a connection need.
struct SharedState {
    /// The start of the connection.
    let opened: Instant
    /// Whether the daemon has requested a listing of the card.
    var isListed = false
    /// Whether the connection ends when the operation ends.
    var isClosing = false
    /// The time at which a photo was last announced, or `nil` before the first photo.
    var lastAnnouncement: Instant?
    /// The time at which a photo on the card was last announced, or `nil` before the first photo.
    var lastShot: Instant?
    /// The photos that the camera announced last.
    var recentPhotos = RecentPhotos()

    init(opened: Instant) { self.opened = opened }
}
