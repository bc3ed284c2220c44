/// How much of a photo a camera is asked for at a time: what fits the link, and what the camera has sent without harm.
struct PieceControl {
    private var size = PieceSize()
    private var memory: PieceMemory?
    /// Bytes that the piece that is asked for has if all goes well.
    private var expected = 0

    /// Before it is known which camera it is: what every camera sends.
    init() {}

    /// - Parameters:
    ///   - memory: what earlier sessions with the camera have learnt.
    ///   - most: the most that the camera is to be asked for, whatever that was.
    init(memory: PieceMemory, most: Int = PieceSize.most) {
        size = PieceSize(most: min(memory.most, most))
        self.memory = memory
    }

    /// A piece is asked for.
    ///
    /// - Parameter left: bytes of the photo that did not come yet, as announced; 0 when all of those did.
    /// - Returns: its size in bytes.
    mutating func begin(left: UInt64) -> Int {
        // The last piece of a photo is shorter than what is asked for, and shows only for its own bytes that they come.
        expected = left > 0 ? Int(min(left, UInt64(size.bytes))) : size.bytes
        memory?.begin(expected)
        return size.bytes
    }

    /// A piece came.
    ///
    /// - Parameters:
    ///   - count: bytes of it.
    ///   - time: time until its first byte, and until its last; `nil` where that was not seen.
    mutating func came(_ count: Int, in time: (roundTrip: Double, total: Double)?) {
        memory?.end(expected, isGood: count >= expected)
        if let time { size.note(came: count, roundTripMs: time.roundTrip, totalMs: time.total) }
    }

    /// A piece did not come; the session goes on.
    ///
    /// - Parameter isRefused: whether the camera refused it in words.
    /// - Returns: whether it is worth asking for a smaller one.
    mutating func failed(isRefused: Bool) -> Bool {
        memory?.end(expected, isGood: false)
        return isRefused && size.refused()
    }

    /// The camera sends no more than this at a time, whatever it is asked for.
    mutating func limit(_ count: Int) { size.limit(count) }
}
