/// A QR code (ISO/IEC 18004) of a short text: byte mode, level M, versions 1 to 10.
///
/// At level M, scanners can read a code with up to 15 % damage. Version 10 has 57 modules (squares) on a
/// side, which fit into a terminal.
public struct QRCode: Equatable, Sendable {
    /// The longest text, in bytes of UTF-8.
    public static let bytesMax = 213

    /// The number of modules on a side.
    public let size: Int
    /// The version, 1...10.
    let version: Int
    /// The mask that was applied, 0...7.
    let mask: Int
    /// The modules, row by row. `true` is dark.
    private let modules: [Bool]

    /// Encodes a text, or returns `nil` if the text is longer than ``bytesMax``.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let layout = QRVersion.smallest(forBytes: bytes.count) else { return nil }
        var matrix = QRMatrix(version: layout.version)
        matrix.drawCodewords(layout.codewords(of: bytes))
        mask = matrix.applyBestMask()
        version = layout.version
        size = matrix.size
        modules = matrix.modules
    }

    /// Returns whether a module is dark. Modules outside the code are light.
    public func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }
}

/// The sizes of a version of QR codes at level M.
struct QRVersion {
    /// The version, 1...10.
    let version: Int
    /// The number of bytes for data, in all blocks together.
    let dataBytes: Int
    /// The number of bytes for error correction in each block.
    let correctionBytes: Int
    /// The number of blocks.
    let blocks: Int

    /// Table 9 of the standard, for level M.
    private static let all: [QRVersion] = [
        (16, 10, 1), (28, 16, 1), (44, 26, 1), (64, 18, 2), (86, 24, 2), (108, 16, 4), (124, 18, 4),
        (154, 22, 4), (182, 22, 5), (216, 26, 5),
    ].enumerated().map { index, sizes in
        QRVersion(version: index + 1, dataBytes: sizes.0, correctionBytes: sizes.1, blocks: sizes.2)
    }

    /// The number of bits of the length field.
    private var lengthBits: Int { version < 10 ? 8 : 16 }

    /// Returns the smallest version for a text, or `nil` if the text is too long.
    static func smallest(forBytes count: Int) -> QRVersion? {
        all.first { 4 + $0.lengthBits + 8 * count <= 8 * $0.dataBytes }
    }

    /// Returns the bytes of the code: the blocks of data and their error correction, interleaved.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        let data = paddedData(of: bytes)
        let correction = ReedSolomon(count: correctionBytes)
        let (short, longer) = data.count.quotientAndRemainder(dividingBy: blocks)
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        for index in 0..<blocks {
            let end = start + short + (index >= blocks - longer ? 1 : 0)
            parts.append(data[start..<end])
            start = end
        }
        let sums = parts.map { correction.remainder(of: $0) }
        let columns = (0...short).flatMap { column in
            parts.compactMap { $0.dropFirst(column).first }
        }
        return columns + (0..<correctionBytes).flatMap { column in sums.map { $0[column] } }
    }

    /// Returns the mode, the length and the text as bytes, padded to the capacity.
    private func paddedData(of bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ number: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(number >> bit & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, lengthBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, 8 * dataBytes - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var padding: UInt8 = 0xEC
        while data.count < dataBytes {
            data.append(padding)
            padding ^= 0xEC ^ 0x11
        }
        return data
    }
}

/// Reed-Solomon error correction in the field of 256 elements with the polynomial 0x11D.
struct ReedSolomon {
    /// The coefficients of the generator polynomial, except the first coefficient, which is always 1.
    private let divisor: [UInt8]

    /// Creates the generator polynomial for a number of correction bytes.
    init(count: Int) {
        var divisor = [UInt8](repeating: 0, count: count)
        divisor[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                divisor[index] = Self.product(divisor[index], root)
                if index + 1 < count { divisor[index] ^= divisor[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.divisor = divisor
    }

    /// Returns the correction bytes of a block.
    func remainder(of block: ArraySlice<UInt8>) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: divisor.count)
        for byte in block {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for (index, coefficient) in divisor.enumerated() {
                remainder[index] ^= Self.product(coefficient, factor)
            }
        }
        return remainder
    }

    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product & 0x80 == 0 ? 0 : 0x1D)
            if b >> UInt8(bit) & 1 == 1 { product ^= a }
        }
        return product
    }
}
