/// A sequence of ranges of shared memory, for sending a photo without a copy.
struct ByteRope: Sendable {
    /// A range of shared memory.
    struct Piece: Sendable {
        let memory: SharedBytes
        let offset: Int
        let count: Int

        var start: UnsafeRawPointer { memory.base + offset }
    }

    private(set) var pieces: [Piece] = []
    /// The total number of bytes.
    private(set) var count = 0

    init() {}

    init(_ bytes: [UInt8]) { append(SharedBytes(bytes)) }

    init(_ memory: SharedBytes) { append(memory) }

    /// Appends a range of shared memory. The range is clamped to the memory.
    mutating func append(_ memory: SharedBytes, _ range: Range<Int>? = nil) {
        let range = (range ?? 0..<memory.count).clamped(to: 0..<memory.count)
        guard !range.isEmpty else { return }
        pieces.append(Piece(memory: memory, offset: range.lowerBound, count: range.count))
        count += range.count
    }

    mutating func append(_ other: ByteRope) {
        pieces += other.pieces
        count += other.count
    }

    /// Returns the part of the rope in `range`, clamped to the rope.
    func slice(_ range: Range<Int>) -> ByteRope {
        var result = ByteRope()
        var start = 0
        for piece in pieces {
            let overlap = range.clamped(to: start..<start + piece.count)
            if !overlap.isEmpty {
                let low = piece.offset + overlap.lowerBound - start
                result.append(piece.memory, low..<low + overlap.count)
            }
            start += piece.count
            if start >= range.upperBound { break }
        }
        return result
    }

    /// Calls `body` with each piece as raw memory, for hashing and writing.
    func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        for piece in pieces { try body(UnsafeRawBufferPointer(start: piece.start, count: piece.count)) }
    }

    /// All bytes, copied into one array. Use it for small data sets and in tests.
    var bytes: [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(count)
        forEachPiece { all.append(contentsOf: $0) }
        return all
    }

    /// Returns the rope with one bit flipped. The shared memory does not change.
    func flippingBit(at offset: Int) -> ByteRope {
        guard offset < count else { return self }
        var result = slice(0..<offset)
        result.append(ByteRope(slice(offset..<offset + 1).bytes.map { $0 ^ 0x10 }))
        result.append(slice(offset + 1..<count))
        return result
    }
}
