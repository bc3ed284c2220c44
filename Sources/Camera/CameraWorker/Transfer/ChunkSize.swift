/// The size of the next chunk: as large as possible without delaying a shutter release noticeably.
///
/// Each chunk costs a round trip. Over Wi-Fi, a round trip takes as long as transferring a megabyte. A
/// requested chunk can't be interrupted, and a shutter release waits until the chunk has arrived.
struct ChunkSize: Hashable {
    /// The driver's own chunk size (BLOBSIZE in camlibs/ptp2/library.c), in bytes. No known camera refuses
    /// it.
    static let usual = 1_024 * 1_024
    /// The minimum size, in bytes. On any link, the round trip of a smaller chunk takes longer than its data.
    static let least = 256 * 1_024
    /// The maximum size, in bytes. Larger chunks are not faster, and the worker holds two chunks in memory.
    static let most = 8 * 1_024 * 1_024
    /// The maximum size for an EOS, in bytes: "EOS R does not like 5MB blobs", and Canon's own software
    /// requests 1 MB (get_file_func).
    static let eosMost = usual

    /// The target duration of a chunk including its round trip, in milliseconds. A running chunk usually
    /// delays a shutter release by at most this time.
    static let turnMs = 100.0
    /// The minimum target for the transfer time of a chunk without its round trip, in milliseconds. The
    /// target applies even if the round trip is long.
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

    /// Adapts the size to the speed of a chunk that arrived.
    ///
    /// - Parameters:
    ///   - came: The number of bytes.
    ///   - roundTripMs: The time until the first byte, in milliseconds.
    ///   - totalMs: The time until the last byte, in milliseconds.
    mutating func update(came: Int, roundTripMs: Double, totalMs: Double) {
        // The time of a small chunk does not show the speed of the link.
        guard came >= Self.least else { return }
        let bytesPerMs = Double(came) / max(totalMs - roundTripMs, 0.001)
        let wanted = bytesPerMs * max(Self.transferMsLeast, Self.turnMs - roundTripMs)
        // Changes the size by one step only, because a single measurement can be inaccurate.
        if wanted < Double(bytes) {
            bytes = max(Self.least, bytes / 2)
        } else if wanted >= Double(bytes * 2) {
            bytes = min(most, bytes * 2)
        }
    }

    /// Reduces the size after the camera refused a chunk.
    ///
    /// - Returns: Whether to retry with a smaller chunk.
    mutating func recordRefusal() -> Bool {
        guard bytes > Self.usual else { return false }
        limit(Self.usual)
        return true
    }

    /// Limits the chunk size to the maximum that the camera sends for one request.
    mutating func limit(_ count: Int) {
        var size = Self.least
        while size * 2 <= count { size *= 2 }
        most = min(most, size)
        bytes = min(bytes, most)
    }
}
