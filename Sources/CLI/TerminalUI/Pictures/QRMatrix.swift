/// The modules of a QR code while it is drawn.
struct QRMatrix {
    /// The positions of alignment patterns by version (annex E of the standard).
    private static let alignment: [[Int]] = [
        [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
    ]

    /// The number of modules on a side.
    let size: Int
    /// The modules, row by row. `true` is dark.
    private(set) var modules: [Bool]
    /// Whether a module belongs to a pattern. Masks do not change patterns.
    private var isPattern: [Bool]
    private let version: Int

    /// Creates a matrix with the patterns of a version, and without data.
    init(version: Int) {
        self.version = version
        size = 17 + 4 * version
        modules = [Bool](repeating: false, count: size * size)
        isPattern = modules
        for index in 0..<size {
            setPattern(6, index, index % 2 == 0)
            setPattern(index, 6, index % 2 == 0)
        }
        drawFinders()
        drawAlignment()
        drawFormat(mask: 0)
        drawVersion()
    }

    private mutating func setPattern(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y * size + x] = isDark
        isPattern[y * size + x] = true
    }

    // MARK: Patterns

    /// Draws the three finder patterns with their light borders.
    private mutating func drawFinders() {
        for (centerX, centerY) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for y in max(0, centerY - 4)...min(size - 1, centerY + 4) {
                for x in max(0, centerX - 4)...min(size - 1, centerX + 4) {
                    let distance = max(abs(x - centerX), abs(y - centerY))
                    setPattern(x, y, distance != 2 && distance != 4)
                }
            }
        }
    }

    private mutating func drawAlignment() {
        let centers = Self.alignment[version - 1]
        guard let first = centers.first, let last = centers.last else { return }
        for centerX in centers {
            for centerY in centers {
                // Finder patterns are in three corners.
                let corner = (centerX, centerY)
                guard corner != (first, first), corner != (first, last), corner != (last, first) else {
                    continue
                }
                for y in (centerY - 2)...(centerY + 2) {
                    for x in (centerX - 2)...(centerX + 2) {
                        setPattern(x, y, max(abs(x - centerX), abs(y - centerY)) != 1)
                    }
                }
            }
        }
    }

    /// Draws the format twice: level M and the mask's number, with their error correction (a BCH code).
    private mutating func drawFormat(mask: Int) {
        // The two bits of level M are 00.
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        let isSet = { (bit: Int) in bits >> bit & 1 == 1 }
        for bit in 0..<6 { setPattern(8, bit, isSet(bit)) }
        setPattern(8, 7, isSet(6))
        setPattern(8, 8, isSet(7))
        setPattern(7, 8, isSet(8))
        for bit in 9..<15 { setPattern(14 - bit, 8, isSet(bit)) }
        for bit in 0..<8 { setPattern(size - 1 - bit, 8, isSet(bit)) }
        for bit in 8..<15 { setPattern(8, size - 15 + bit, isSet(bit)) }
        setPattern(8, size - 8, true)
    }

    /// Draws the version, twice, with its error correction. Versions below 7 have no such pattern.
    private mutating func drawVersion() {
        guard version >= 7 else { return }
        var remainder = version
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version << 12 | remainder
        for bit in 0..<18 {
            let isDark = bits >> bit & 1 == 1
            let (near, far) = (bit / 3, size - 11 + bit % 3)
            setPattern(far, near, isDark)
            setPattern(near, far, isDark)
        }
    }

    // MARK: Data

    /// Draws bytes into the free modules, in columns of two from the right, alternately upward and downward.
    mutating func drawCodewords(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        // Column 6 is the vertical timing pattern.
        for right in [Int](stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isPattern[y * size + x] && bit < 8 * codewords.count {
                    modules[y * size + x] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            isUpward.toggle()
        }
    }

    // MARK: Mask

    /// Applies the mask with the lowest penalty, and returns its number.
    mutating func applyBestMask() -> Int {
        let masked = (0..<8).map { mask in
            var matrix = self
            matrix.apply(mask)
            return (mask: mask, matrix: matrix, penalty: matrix.penalty)
        }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return 0 }
        self = best.matrix
        return best.mask
    }

    /// Inverts the modules of a mask, and draws the mask's number.
    private mutating func apply(_ mask: Int) {
        for y in 0..<size {
            for x in 0..<size where !isPattern[y * size + x] && Self.inverts(mask, x, y) {
                modules[y * size + x].toggle()
            }
        }
        drawFormat(mask: mask)
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// The penalty of the standard for patterns that scanners read badly.
    private var penalty: Int {
        let rows = (0..<size).map { y in Array(modules[(y * size)..<((y + 1) * size)]) }
        let columns = (0..<size).map { x in rows.map { $0[x] } }
        var penalty = (rows + columns).reduce(0) { $0 + Self.penalty(ofLine: $1) }
        for y in 1..<size {
            for x in 1..<size {
                let isDark = rows[y][x]
                if rows[y][x - 1] == isDark, rows[y - 1][x] == isDark, rows[y - 1][x - 1] == isDark {
                    penalty += 3
                }
            }
        }
        // Adds 10 for each 5 % by which the share of dark modules differs from a half.
        let dark = modules.count { $0 }
        return penalty + abs(20 * dark - 10 * modules.count) / modules.count * 10
    }

    /// A row through a finder pattern, followed by four light modules. A scanner could mistake such modules
    /// in the data for a finder pattern.
    private static let finder: [Bool] = [1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0].map { $0 == 1 }
    private static let reversedFinder = Array(finder.reversed())

    private static func penalty(ofLine line: [Bool]) -> Int {
        var penalty = 0
        var run = 1
        for index in 1...line.count {
            if index < line.count, line[index] == line[index - 1] {
                run += 1
            } else {
                if run >= 5 { penalty += run - 2 }
                run = 1
            }
        }
        for start in 0...(line.count - finder.count) {
            let part = line[start..<(start + finder.count)]
            if part.elementsEqual(finder) || part.elementsEqual(reversedFinder) { penalty += 40 }
        }
        return penalty
    }
}
