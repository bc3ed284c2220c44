/// A writer for a JPEG's entropy-coded data. The writer adds the zero byte that JPEG requires after each
/// 0xFF.
struct ScanWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var pendingCount: UInt32 = 0

    /// Appends the lowest `count` bits of a value, highest bit first. All higher bits of the value must be 0.
    /// `count` is at most 24.
    mutating func append(_ value: UInt32, _ count: UInt32) {
        pending = pending << count | value
        pendingCount += count
        while pendingCount >= 8 {
            let byte = UInt8(truncatingIfNeeded: pending >> (pendingCount - 8))
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
            pendingCount -= 8
        }
        pending &= (1 << pendingCount) - 1
    }

    mutating func append(_ string: BitString) { append(string.bits, string.count) }

    /// Appends a difference: the code of its category, then its magnitude.
    mutating func append(difference: Int, _ table: HuffmanTable) {
        append(table.code(of: HuffmanTable.category(of: difference)))
        append(HuffmanTable.magnitude(of: difference))
    }

    /// Returns all bytes. The last byte is filled with ones.
    consuming func finished() -> [UInt8] {
        if pendingCount > 0 {
            let fill = 8 - pendingCount
            append((1 << fill) - 1, fill)
        }
        return bytes
    }
}
