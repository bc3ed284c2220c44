/// How much of a photo to ask for at a time: as much as the link brings before a release has to wait noticeably.
///
/// Each piece costs a round trip in which nothing comes: over Wi-Fi that is as long as a megabyte takes. But what is
/// asked for comes, and the shutter waits until it is here.
struct PieceSize: Hashable {
    /// What the driver asks for by itself (BLOBSIZE in camlibs/ptp2/library.c): no camera is known that refuses it.
    static let usual = 1_024 * 1_024
    /// Below this a piece is mostly round trip, on any link.
    static let least = 256 * 1_024
    /// Above this nothing is gained, and two of them lie in memory.
    static let most = 8 * 1_024 * 1_024
    /// "EOS R does not like 5MB blobs", and Canon's own software asks for 1 MB (get_file_func).
    static let eosMost = usual

    /// A piece and its round trip together, in milliseconds: the time that a release may have to wait.
    static let turnMs = 100.0
    /// Time for a piece's bytes alone that is used in any case, however long the round trip.
    static let transferMsLeast = 50.0

    /// What to ask for next, in bytes: ``least`` times a power of two.
    private(set) var bytes: Int
    private var most: Int

    /// - Parameter most: the most that the camera is to be asked for.
    init(most: Int = Self.most) {
        self.most = Self.most
        bytes = Self.usual
        limit(most)
    }

    /// A piece came.
    ///
    /// - Parameters:
    ///   - came: bytes of it.
    ///   - roundTripMs: time until the first byte.
    ///   - totalMs: time until the last byte.
    mutating func note(came: Int, roundTripMs: Double, totalMs: Double) {
        // Too little to tell how fast the link is.
        guard came >= Self.least else { return }
        let bytesPerMs = Double(came) / max(totalMs - roundTripMs, 0.001)
        let wanted = bytesPerMs * max(Self.transferMsLeast, Self.turnMs - roundTripMs)
        // One step at a time: a single measurement can be far off.
        if wanted < Double(bytes) {
            bytes = max(Self.least, bytes / 2)
        } else if wanted >= Double(bytes * 2) {
            bytes = min(most, bytes * 2)
        }
    }

    /// The camera refused a piece.
    ///
    /// - Returns: whether it is worth asking for a smaller one.
    mutating func refused() -> Bool {
        guard bytes > Self.usual else { return false }
        limit(Self.usual)
        return true
    }

    /// The camera sends no more than this at a time, whatever it is asked for.
    mutating func limit(_ count: Int) {
        var size = Self.least
        while size * 2 <= count { size *= 2 }
        most = min(most, size)
        bytes = min(bytes, most)
    }
}
