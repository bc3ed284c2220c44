/// A picture of a gradient with the shot's number. The picture consists of blocks of 8 × 8 pixels, and each
/// block has one color.
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
            for row in 0..<DigitFont.rows {
                for column in 0..<DigitFont.columns
                where DigitFont.hasDot(digit, column: column, row: row) {
                    blocks[(top + row) * columns + left + place * 4 + column] = (235, 128, 128)
                }
            }
        }
    }
}
