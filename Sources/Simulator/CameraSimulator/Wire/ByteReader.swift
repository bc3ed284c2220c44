/// A reader of little-endian fields. Each read returns `nil` if the data ends before the field.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: some Collection<UInt8>) {
        self.bytes = ArraySlice(bytes)
        position = self.bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    mutating func u8() -> UInt8? { integer(UInt8.self) }

    mutating func u16() -> UInt16? { integer(UInt16.self) }

    mutating func u32() -> UInt32? { integer(UInt32.self) }

    mutating func u64() -> UInt64? { integer(UInt64.self) }

    /// Reads a PTP string, as ``ByteWriter/text(_:)`` writes it.
    mutating func text() -> CameraText? {
        guard let count = u8() else { return nil }
        var units: [UInt16] = []
        for _ in 0..<count {
            guard let unit = u16() else { return nil }
            units.append(unit)
        }
        if units.last == 0 { units.removeLast() }
        return CameraText(units: units)
    }

    /// Reads UTF-16 units until a NUL or the end, the format of names in PTP/IP.
    mutating func terminatedText() -> CameraText {
        var units: [UInt16] = []
        while let unit = u16(), unit != 0 { units.append(unit) }
        return CameraText(units: units)
    }

    private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        let width = Value.bitWidth / 8
        guard remaining >= width else { return nil }
        var value: Value = 0
        for index in (0..<width).reversed() { value = (value &<< 8) | Value(bytes[position + index]) }
        position += width
        return value
    }
}
