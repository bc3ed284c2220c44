/// A font with the digits 0 to 9, of three by five dots each.
enum DigitFont {
    /// The width of a digit, in dots.
    static let columns = 3
    /// The height of a digit, in dots.
    static let rows = 5

    /// Returns whether a digit has a dot at a place.
    static func hasDot(_ digit: Int, column: Int, row: Int) -> Bool {
        dots[digit] >> (columns * rows - 1 - row * columns - column) & 1 == 1
    }

    /// The dots of each digit, top row first.
    private static let dots = [
        0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111,
        0b101_101_111_001_001, 0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_010_010,
        0b111_101_111_101_111, 0b111_101_111_001_111,
    ]
}
