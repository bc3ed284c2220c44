/// A Huffman table of a JPEG (ITU T.81, annex C).
struct HuffmanTable: Sendable {
    /// The content of the segment that defines the table.
    let definition: [UInt8]
    /// The code of each symbol.
    private let codes: [BitString]

    /// - Parameters:
    ///   - destination: The class (0 for DC, 1 for AC) in the high four bits, and the number of the table.
    ///   - lengths: The number of codes of each length from 1 to 16 bits.
    ///   - symbols: The symbols, in the order of their codes.
    init(destination: UInt8, lengths: [UInt8], symbols: [UInt8]) {
        definition = [destination] + lengths + symbols
        var codes = [BitString](repeating: BitString(bits: 0, count: 0), count: 256)
        var code: UInt32 = 0
        var next = 0
        for (index, count) in lengths.enumerated() {
            for _ in 0..<count {
                codes[Int(symbols[next])] = BitString(bits: code, count: UInt32(index + 1))
                code += 1
                next += 1
            }
            code <<= 1
        }
        self.codes = codes
    }

    func code(of symbol: Int) -> BitString { codes[symbol] }

    /// Returns the number of bits of a value's magnitude, which JPEG calls the category.
    static func category(of value: Int) -> Int { Int.bitWidth - value.magnitude.leadingZeroBitCount }

    /// Returns the bits that follow the code of a category.
    static func magnitude(of value: Int) -> BitString {
        let category = category(of: value)
        let bits = value > 0 ? value : value + (1 << category) - 1
        return BitString(bits: UInt32(bits), count: UInt32(category))
    }

    /// The table for DC differences: T.81, table K.3.
    static let dc = HuffmanTable(
        destination: 0x00, lengths: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        symbols: Array(0...11))

    /// The table for AC coefficients: T.81, table K.5.
    static let ac = HuffmanTable(
        destination: 0x10, lengths: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D],
        symbols: [
            0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07,
            0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0,
            0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28,
            0x29, 0x2A, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49,
            0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69,
            0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
            0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7,
            0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3, 0xC4, 0xC5,
            0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
            0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,
            0xF9, 0xFA,
        ])

    /// A table for the differences of lossless JPEG: each category has a code of five bits.
    static let lossless = HuffmanTable(
        destination: 0x00, lengths: [0, 0, 0, 0, 17] + [UInt8](repeating: 0, count: 11),
        symbols: Array(0...16))
}

/// Up to 16 bits, in the lowest bits of a number.
struct BitString: Hashable, Sendable {
    var bits: UInt32
    var count: UInt32
}
