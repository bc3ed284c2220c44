/// A picture made of 8 × 8 pixel blocks of one colour each: a gradient with the shot's number on it.
///
/// Blocks of one colour need only the DC coefficient, which keeps a whole valid JPEG down to a few kilobytes.
struct BlockPicture {
    let columns: Int
    let rows: Int
    /// Y, Cb, Cr of each block, row by row.
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
                // In steps of several blocks: a block like the one before it costs nearly nothing.
                let light = 60 + (row + column) / 8 * 960 / (rows + columns)
                blocks.append((UInt8(light), UInt8(cb), UInt8(cr)))
            }
        }
        write(number)
    }

    /// A picture as a sensor sees it that is held so that this one is upright, by EXIF's numbers; `columns` and `rows` are the
    /// sensor's.
    init(columns: Int, rows: Int, number: Int, orientation: UInt16) {
        let isOnItsSide = orientation > 4
        let upright = BlockPicture(
            columns: isOnItsSide ? rows : columns, rows: isOnItsSide ? columns : rows, number: number)
        (self.columns, self.rows) = (columns, rows)
        blocks = (0..<columns * rows).map { index in
            let (x, y) = (index % columns, index / columns)
            let (right, bottom) = (columns - 1 - x, rows - 1 - y)
            let place =
                switch orientation {
                case 2: (right, y)
                case 3: (right, bottom)
                case 4: (x, bottom)
                case 5: (y, x)
                case 6: (bottom, x)
                case 7: (bottom, right)
                case 8: (y, right)
                default: (x, y)
                }
            return upright.blocks[place.1 * upright.columns + place.0]
        }
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

    /// Three by five dots a digit, top row first.
    private static let font = [
        0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111,
        0b101_101_111_001_001, 0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_010_010,
        0b111_101_111_101_111, 0b111_101_111_001_111,
    ]
}
