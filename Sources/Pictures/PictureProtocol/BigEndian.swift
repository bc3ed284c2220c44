/// A reader of big-endian numbers. Past the end of the bytes, numbers are 0.
struct BigEndianReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
    mutating func half() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }
    mutating func word() -> UInt32 { UInt32(half()) << 16 | UInt32(half()) }
}

extension [UInt8] {
    /// Appends a number, with the most significant byte first.
    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}
