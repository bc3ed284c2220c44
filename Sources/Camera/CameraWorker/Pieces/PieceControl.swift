/// The size of the pieces to request, from the speed of the link and the camera's history.
struct PieceControl {
    private var size = PieceSize()
    private var history: PieceSizeHistory?
    /// The expected number of bytes of the requested piece.
    private var expected = 0

    /// Creates a control for an unknown camera, with sizes that every camera supports.
    init() {}

    /// Creates a control for a known camera.
    ///
    /// - Parameters:
    ///   - history: The sizes that earlier connections with the camera tried.
    ///   - most: The maximum size to request, in bytes, whatever the history says.
    init(history: PieceSizeHistory, most: Int = PieceSize.most) {
        size = PieceSize(most: min(history.most, most))
        self.history = history
    }

    /// Returns the size of the next piece, in bytes, and records the request.
    ///
    /// - Parameter left: The number of bytes of the photo that have not arrived yet, from its announced size.
    ///   0 if all announced bytes have arrived.
    mutating func beginPiece(left: UInt64) -> Int {
        // The last piece of a photo is shorter than the request, so it proves only that its own size works.
        expected = left > 0 ? Int(min(left, UInt64(size.bytes))) : size.bytes
        history?.beginPiece(expected)
        return size.bytes
    }

    /// Records a piece that arrived.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - time: The time until the first byte and until the last byte, in milliseconds, or `nil` if unknown.
    mutating func recordPiece(_ count: Int, in time: (roundTrip: Double, total: Double)?) {
        history?.endPiece(expected, isGood: count >= expected)
        if let time { size.update(came: count, roundTripMs: time.roundTrip, totalMs: time.total) }
    }

    /// Records a piece that did not arrive, in a connection that continues.
    ///
    /// - Parameter isRefused: Whether the camera refused the request with an error response.
    /// - Returns: Whether to retry with a smaller piece.
    mutating func recordFailure(isRefused: Bool) -> Bool {
        history?.endPiece(expected, isGood: false)
        return isRefused && size.recordRefusal()
    }

    /// Limits the size to what the camera sends at most for one request.
    mutating func limit(_ count: Int) { size.limit(count) }
}
