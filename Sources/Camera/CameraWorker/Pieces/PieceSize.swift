/// The size of the next piece: as large as possible without delaying a shutter release noticeably.
///
/// Each piece costs a round trip without data. Over Wi-Fi this takes as long as a megabyte. But a requested
/// piece can't be interrupted, and the shutter waits until it has arrived.
struct PieceSize: Hashable {
    /// The piece size of the driver itself (BLOBSIZE in camlibs/ptp2/library.c), in bytes. No known camera
    /// refuses it.
    static let usual = 1_024 * 1_024
    /// The minimum size, in bytes. On any link, a smaller piece consists mostly of the round trip.
    static let least = 256 * 1_024
    /// The maximum size, in bytes. A larger piece is not faster, and two pieces are in memory.
    static let most = 8 * 1_024 * 1_024
    /// The maximum size for an EOS, in bytes: "EOS R does not like 5MB blobs", and Canon's own software
    /// requests 1 MB (get_file_func).
    static let eosMost = usual

    /// The target duration of a piece with its round trip, in milliseconds: the longest delay of a shutter
    /// release.
    static let turnMs = 100.0
    /// The minimum transfer time of a piece without its round trip, in milliseconds, however long the round
    /// trip is.
    static let transferMsLeast = 50.0

    /// The next size to request, in bytes: ``least`` times a power of two.
    private(set) var bytes: Int
    private var most: Int

    /// Creates a size control.
    ///
    /// - Parameter most: The maximum size to request, in bytes.
    init(most: Int = Self.most) {
        self.most = Self.most
        bytes = Self.usual
        limit(most)
    }

    /// Adapts the size to a piece that arrived.
    ///
    /// - Parameters:
    ///   - came: The number of bytes.
    ///   - roundTripMs: The time until the first byte, in milliseconds.
    ///   - totalMs: The time until the last byte, in milliseconds.
    mutating func update(came: Int, roundTripMs: Double, totalMs: Double) {
        // The piece is too small to measure the speed of the link.
        guard came >= Self.least else { return }
        let bytesPerMs = Double(came) / max(totalMs - roundTripMs, 0.001)
        let wanted = bytesPerMs * max(Self.transferMsLeast, Self.turnMs - roundTripMs)
        // The size changes one step at a time, because a single measurement can be far off.
        if wanted < Double(bytes) {
            bytes = max(Self.least, bytes / 2)
        } else if wanted >= Double(bytes * 2) {
            bytes = min(most, bytes * 2)
        }
    }

    /// Reduces the size after the camera refused a piece.
    ///
    /// - Returns: Whether to retry with a smaller piece.
    mutating func recordRefusal() -> Bool {
        guard bytes > Self.usual else { return false }
        limit(Self.usual)
        return true
    }

    /// Limits the size to what the camera sends at most for one request.
    mutating func limit(_ count: Int) {
        var size = Self.least
        while size * 2 <= count { size *= 2 }
        most = min(most, size)
        bytes = min(bytes, most)
    }
}
