/// A picture of 8 × 8 pixel blocks of one color each: a gradient with the shot's number on it.
///
/// A block of one color needs only its DC coefficient. A complete valid JPEG therefore has only a few
/// kilobytes.
struct BlockPicture {
    let columns: Int
    let rows: Int
    /// The Y, Cb and Cr values of each block, row by row.
    private(set) var blocks: [(y: UInt8, cb: UInt8, cr: UInt8)]

    init(columns: Int, rows: Int, number: Int) {
        self.columns = columns
        self.rows = rows
        let cb = 40 + (number * 53) % 176
        let cr = 40 + (number * 97) % 176
        blocks = []
        blocks.reserveCapacity(columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                // The brightness changes only every few blocks, because an unchanged block needs few bits.
                let light = 60 + (row + column) / 8 * 960 / (rows + columns)
                blocks.append((UInt8(light), UInt8(cb), UInt8(cr)))
            }
        }
        write(number)
    }

    private mutating func write(_ number: Int) {
        let digits = String(number).compactMap(\.wholeNumberValue)
        let left = (columns - digits.count * 4 + 1) / 2
        let top = (rows - 5) / 2
        guard left >= 0, top >= 0 else { return }
        for (place, digit) in digits.enumerated() {
            for row in 0..<5 {
                for column in 0..<3 where Self.font[digit] >> (14 - row * 3 - column) & 1 == 1 {
                    blocks[(top + row) * columns + left + place * 4 + column] = (235, 128, 128)
                }
            }
        }
    }

    /// Digits of three by five dots, top row first.
    private static let font = [
        0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111,
        0b101_101_111_001_001, 0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_010_010,
        0b111_101_111_101_111, 0b111_101_111_001_111,
    ]
}
