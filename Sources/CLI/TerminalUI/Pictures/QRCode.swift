/// A QR code (ISO/IEC 18004) of a short text: bytes, error correction M, versions 1 to 6, so that an address with a code in it
/// fits. Of our own, because a terminal needs no more than its modules.
public struct QRCode: Equatable, Sendable {
    /// Of a version at level M: code words of data, of error correction a block, and blocks.
    private static let versions: [(data: Int, correction: Int, blocks: Int)] = [
        (16, 10, 1), (28, 16, 1), (44, 26, 1), (64, 18, 2), (86, 24, 2), (108, 16, 4),
    ]
    /// Longest text, in bytes.
    public static let bytesMax = 106

    /// Modules of a side.
    public private(set) var side: Int
    /// Which of them are dark, line by line.
    public private(set) var modules: [Bool]
    private var isFixed: [Bool]

    /// Encodes a text; `nil` for one that is too long.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let index = Self.versions.firstIndex(where: { $0.data - 2 >= bytes.count }) else { return nil }
        side = 21 + 4 * index
        modules = Array(repeating: false, count: side * side)
        isFixed = modules
        drawPatterns(version: index + 1)
        place(Self.words(bytes, Self.versions[index]))
        var best: (penalty: Int, code: QRCode)?
        for mask in 0..<8 {
            var code = self
            code.apply(mask)
            let penalty = code.penalty
            if best.map({ penalty < $0.penalty }) ?? true { best = (penalty, code) }
        }
        if let best { self = best.code }
    }

    /// Whether a module is dark; what is outside is light.
    public func isDark(_ column: Int, _ row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && modules[row * side + column]
    }

    // MARK: Words

    /// Data and error correction, as they are placed.
    private static func words(_ bytes: [UInt8], _ version: (data: Int, correction: Int, blocks: Int))
        -> [UInt8]
    {
        // Mode (4 bits: bytes), count (8 bits), bytes, end (4 bits).
        var bits = [false, true, false, false]
        for byte in [UInt8(bytes.count)] + bytes { bits += (0..<8).reversed().map { byte >> $0 & 1 == 1 } }
        bits += Array(repeating: false, count: 4)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for filler in 0..<max(0, version.data - data.count) { data.append(filler % 2 == 0 ? 0xEC : 0x11) }
        let size = version.data / version.blocks
        let blocks = (0..<version.blocks).map { Array(data[($0 * size)..<(($0 + 1) * size)]) }
        let corrections = blocks.map { correction(of: $0, count: version.correction) }
        return (0..<size).flatMap { index in blocks.map { $0[index] } }
            + (0..<version.correction).flatMap { index in corrections.map { $0[index] } }
    }

    /// The remainder by the generator polynomial in GF(256), modulus 0x11D.
    private static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            var next = [UInt8](repeating: 0, count: generator.count + 1)
            for (index, factor) in generator.enumerated() {
                next[index] ^= factor
                next[index + 1] ^= product(factor, root)
            }
            generator = next
            root = product(root, 2)
        }
        var rest = data + [UInt8](repeating: 0, count: count)
        for index in data.indices {
            let factor = rest[index]
            for (offset, term) in generator.enumerated() { rest[index + offset] ^= product(term, factor) }
        }
        return Array(rest.suffix(count))
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (left, right, product) = (Int(left), Int(right), 0)
        while right > 0 {
            if right & 1 == 1 { product ^= left }
            left <<= 1
            if left > 0xFF { left ^= 0x11D }
            right >>= 1
        }
        return UInt8(product)
    }

    // MARK: Modules

    private mutating func set(_ column: Int, _ row: Int, _ isDark: Bool) {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return }
        modules[row * side + column] = isDark
        isFixed[row * side + column] = true
    }

    private mutating func drawPatterns(version: Int) {
        for step in 0..<side {
            set(6, step, step % 2 == 0)
            set(step, 6, step % 2 == 0)
        }
        for (left, top) in [(0, 0), (side - 7, 0), (0, side - 7)] {
            for row in -1...7 {
                for column in -1...7 {
                    let ring = max(abs(row - 3), abs(column - 3))
                    set(left + column, top + row, ring != 2 && ring != 4)
                }
            }
        }
        if version > 1 {
            for row in -2...2 {
                for column in -2...2 {
                    set(side - 7 + column, side - 7 + row, max(abs(row), abs(column)) != 1)
                }
            }
        }
        // Room for what says level and mask.
        drawFormat(mask: 0)
    }

    /// Level M (00) and the mask, with their code BCH(15, 5).
    private mutating func drawFormat(mask: Int) {
        var rest = mask << 10
        for shift in stride(from: 14, through: 10, by: -1) where rest >> shift & 1 == 1 {
            rest ^= 0x537 << (shift - 10)
        }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<6 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(side - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, side - 15 + index, bit(index)) }
        set(8, side - 8, true)
    }

    /// In pairs of columns from the right, up and down in turn.
    private mutating func place(_ words: [UInt8]) {
        var bit = 0
        var right = side - 1
        var goesUp = true
        while right > 0 {
            if right == 6 { right -= 1 }
            for step in 0..<side {
                let row = goesUp ? side - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * side + column] {
                    guard bit < words.count * 8 else { continue }
                    modules[row * side + column] = words[bit / 8] >> (7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            goesUp.toggle()
            right -= 2
        }
    }

    private mutating func apply(_ mask: Int) {
        for row in 0..<side {
            for column in 0..<side where !isFixed[row * side + column] {
                let isTurned =
                    switch mask {
                    case 0: (row + column) % 2 == 0
                    case 1: row % 2 == 0
                    case 2: column % 3 == 0
                    case 3: (row + column) % 3 == 0
                    case 4: (row / 2 + column / 3) % 2 == 0
                    case 5: row * column % 2 + row * column % 3 == 0
                    case 6: (row * column % 2 + row * column % 3) % 2 == 0
                    default: ((row + column) % 2 + row * column % 3) % 2 == 0
                    }
                if isTurned { modules[row * side + column].toggle() }
            }
        }
        drawFormat(mask: mask)
    }

    /// How hard it is to read: runs, blocks, what looks like a finder, and how far from half of it is dark.
    private var penalty: Int {
        var sum = 0
        for line in 0..<side {
            for isRow in [true, false] {
                let values = (0..<side).map { isRow ? isDark($0, line) : isDark(line, $0) }
                var run = 1
                for index in 1..<side {
                    run = values[index] == values[index - 1] ? run + 1 : 1
                    if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
                }
                let finder = [true, false, true, true, true, false, true]
                for start in 0...(side - 11) {
                    let window = Array(values[start..<(start + 11)])
                    let light = Array(repeating: false, count: 4)
                    if window == finder + light || window == light + finder { sum += 40 }
                }
            }
        }
        for row in 0..<(side - 1) {
            for column in 0..<(side - 1) {
                let here = isDark(column, row)
                if here == isDark(column + 1, row), here == isDark(column, row + 1),
                    here == isDark(column + 1, row + 1)
                {
                    sum += 3
                }
            }
        }
        let dark = modules.count { $0 } * 100 / modules.count
        return sum + abs(dark - 50) / 5 * 10
    }
}
