/// A controller that chooses the chunk size from the speed of the link and the camera's history.
struct ChunkControl {
    private var size = ChunkSize()
    private var history: ChunkSizeHistory?
    /// The expected number of bytes in the requested chunk.
    private var expected = 0

    /// Creates a controller for an unknown camera. The controller starts with a size that every known camera
    /// supports.
    init() {}

    /// Creates a controller for a known camera.
    ///
    /// - Parameters:
    ///   - history: The chunk sizes that earlier connections to the camera used.
    ///   - most: The maximum size to request, in bytes. This maximum also limits the size from the history.
    init(history: ChunkSizeHistory, most: Int = ChunkSize.most) {
        size = ChunkSize(most: min(history.most, most))
        self.history = history
    }

    /// Returns the size of the next chunk, in bytes, and records the request.
    ///
    /// - Parameter left: The number of announced bytes that have not arrived yet, or 0 if all announced bytes
    ///   have arrived.
    mutating func beginChunk(left: UInt64) -> Int {
        // After the announced bytes, the driver sends a request only if the object has grown. The usual size
        // needs no entry in the history. For a size that never arrived, the history would write and sync its
        // file twice after each photo.
        let asked = left > 0 ? size.bytes : min(size.bytes, ChunkSize.usual)
        // The last chunk of a photo is shorter than the requested size. Its arrival proves only that the
        // camera can send a chunk of this shorter size.
        expected = left > 0 ? Int(min(left, UInt64(asked))) : asked
        history?.beginChunk(expected)
        return asked
    }

    /// Records a chunk that arrived.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - time: The time until the first byte and until the last byte, in milliseconds, or `nil` if unknown.
    mutating func recordChunk(_ count: Int, in time: (roundTrip: Double, total: Double)?) {
        history?.endChunk(expected, isGood: count >= expected)
        if let time { size.update(came: count, roundTripMs: time.roundTrip, totalMs: time.total) }
    }

    /// Records a failed read of a chunk. Not called if the connection was lost.
    ///
    /// - Parameter isRefused: Whether the camera refused the request with an error response.
    /// - Returns: Whether to retry with a smaller chunk.
    mutating func recordFailure(isRefused: Bool) -> Bool {
        history?.endChunk(expected, isGood: false)
        return isRefused && size.recordRefusal()
    }

    /// Limits the chunk size to the maximum that the camera sends for one request.
    mutating func limit(_ count: Int) { size.limit(count) }
}
