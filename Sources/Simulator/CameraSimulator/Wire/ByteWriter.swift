/// A writer of binary data sets. PTP and PTP/IP are little-endian. ISO BMFF boxes are big-endian.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    mutating func u8(_ value: UInt8) { bytes.append(value) }

    mutating func u16(_ value: UInt16) { integer(value.littleEndian) }

    mutating func u32(_ value: UInt32) { integer(value.littleEndian) }

    mutating func u64(_ value: UInt64) { integer(value.littleEndian) }

    mutating func big16(_ value: UInt16) { integer(value.bigEndian) }

    mutating func big32(_ value: UInt32) { integer(value.bigEndian) }

    mutating func u16(_ value: UInt16, _ order: ByteOrder) {
        switch order {
        case .little: u16(value)
        case .big: big16(value)
        }
    }

    mutating func u32(_ value: UInt32, _ order: ByteOrder) {
        switch order {
        case .little: u32(value)
        case .big: big32(value)
        }
    }

    mutating func raw(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

    /// Writes a PTP string: a byte with the number of UTF-16 units including the final NUL, then the units.
    /// An empty string is one zero byte.
    mutating func text(_ text: CameraText) {
        guard !text.units.isEmpty else { return u8(0) }
        let units = text.units.prefix(CameraText.unitsMax)
        u8(UInt8(units.count + 1))
        for unit in units { u16(unit) }
        u16(0)
    }

    /// Writes a PTP array: a 32-bit count, then the elements.
    mutating func array16(_ values: [UInt16]) {
        u32(UInt32(values.count))
        for value in values { u16(value) }
    }

    /// Writes a PTP array: a 32-bit count, then the elements.
    mutating func array32(_ values: [UInt32]) {
        u32(UInt32(values.count))
        for value in values { u32(value) }
    }

    /// Overwrites a 32-bit little-endian field. Use it for a length that is unknown until the content is
    /// written.
    mutating func patch32(at offset: Int, _ value: UInt32) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }

    private mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}
