/// How much of a photo a camera is asked for at a time: what fits the link, and what the camera has sent without harm.
struct PieceControl {
    private var size = PieceSize()
    private var memory: PieceMemory?

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
    /// - Returns: its size in bytes.
    mutating func begin() -> Int {
        memory?.begin(size.bytes)
        return size.bytes
    }

    /// A piece came.
    ///
    /// - Parameters:
    ///   - count: bytes of it.
    ///   - asked: bytes that were asked for.
    ///   - time: time until its first byte, and until its last; `nil` where that was not seen.
    mutating func came(_ count: Int, of asked: Int, in time: (roundTrip: Double, total: Double)?) {
        memory?.end(asked, isGood: count == asked)
        if let time { size.note(came: count, roundTripMs: time.roundTrip, totalMs: time.total) }
    }

    /// A piece did not come; the session goes on.
    ///
    /// - Parameters:
    ///   - asked: bytes that were asked for.
    ///   - isRefused: whether the camera refused it in words.
    /// - Returns: whether it is worth asking for a smaller one.
    mutating func failed(_ asked: Int, isRefused: Bool) -> Bool {
        memory?.end(asked, isGood: false)
        return isRefused && size.refused()
    }

    /// The camera sends no more than this at a time, whatever it is asked for.
    mutating func limit(_ count: Int) { size.limit(count) }
}
