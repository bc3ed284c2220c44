public import Foundation

/// Random bytes for files in tests.
public enum RandomBytes {
    /// The number of bytes that are repeated. Random numbers are slow in debug builds.
    private static let blockBytes = 1 << 16

    /// Returns random bytes. The same count and seed give the same bytes.
    ///
    /// Long data repeats a block, but each copy of the block follows a new random number.
    public static func data(_ count: Int, seed: UInt64) -> Data {
        var random = SeededRandom(seed: seed)
        let block = (0...min(count, blockBytes) / 8).map { _ in random.next() }
        var data = Data(capacity: count + blockBytes + 16)
        while data.count < count {
            withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
            block.withUnsafeBufferPointer { data.append($0) }
        }
        return data.prefix(count)
    }
}
