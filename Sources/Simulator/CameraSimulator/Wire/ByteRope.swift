/// A data set as a list of pieces of shared memory: a photo is served from where it lies, without being copied.
public struct ByteRope: Sendable {
    /// A range of one piece of memory.
    public struct Piece: Sendable {
        let memory: SharedBytes
        let offset: Int
        let count: Int

        var start: UnsafeRawPointer { memory.base + offset }
    }

    /// The pieces in order.
    public private(set) var pieces: [Piece] = []
    /// Number of bytes in all.
    public private(set) var count = 0

    /// An empty data set.
    public init() {}

    /// Bytes made in memory.
    public init(_ bytes: [UInt8]) { append(SharedBytes(bytes)) }

    /// All of a piece of memory, or a part of it.
    public init(_ memory: SharedBytes) { append(memory) }

    /// Adds a range of shared memory. The range is clamped to what is there.
    public mutating func append(_ memory: SharedBytes, _ range: Range<Int>? = nil) {
        let range = (range ?? 0..<memory.count).clamped(to: 0..<memory.count)
        guard !range.isEmpty else { return }
        pieces.append(Piece(memory: memory, offset: range.lowerBound, count: range.count))
        count += range.count
    }

    /// Adds another rope.
    public mutating func append(_ other: ByteRope) {
        pieces += other.pieces
        count += other.count
    }

    /// The part of the rope in `range`, clamped to what is there.
    public func slice(_ range: Range<Int>) -> ByteRope {
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

    /// Visits the pieces as raw memory, for hashing and writing.
    public func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        for piece in pieces { try body(UnsafeRawBufferPointer(start: piece.start, count: piece.count)) }
    }

    /// The bytes copied into one array; for small data sets and tests.
    public var bytes: [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(count)
        forEachPiece { all.append(contentsOf: $0) }
        return all
    }

    /// The rope with one byte changed; the original memory is left alone.
    func flippingBit(at offset: Int) -> ByteRope {
        guard offset < count else { return self }
        var result = slice(0..<offset)
        result.append(ByteRope(slice(offset..<offset + 1).bytes.map { $0 ^ 0x10 }))
        result.append(slice(offset + 1..<count))
        return result
    }
}
