/// A picture of a page, reduced to one color for each cell of a coarse grid.
///
/// Fonts with other widths move the elements of a page by some pixels. A comparison therefore accepts each
/// color between the colors of the surrounding cells of the other picture.
public struct PictureGrid: Hashable, Sendable {
    /// The side of a cell, in CSS pixels. A button of 44 px contains at least one whole row of cells.
    public static let cellPixels = 16
    /// The tolerated difference of a color value, 0...255. The page's surface colors differ by at least 8.
    static let tolerance = 5
    /// The distance to the surrounding cells in a row, in cells.
    static let reachInRow = 2
    /// The distance to the surrounding rows, in cells. The height of a line does not depend on its font.
    static let reachOfRows = 1
    /// The maximum number of different cells in pictures that match.
    static let differencesMax = 4

    /// The number of cells in a row.
    public let columns: Int
    /// The number of rows.
    public let rows: Int
    /// The red, green and blue values of the cells, row by row, as in an sRGB picture.
    public let colors: [UInt8]

    /// Creates a picture, or returns `nil` if the number of color values is wrong.
    public init?(columns: Int, rows: Int, colors: [UInt8]) {
        guard columns > 0, rows > 0, colors.count == 3 * columns * rows else { return nil }
        (self.columns, self.rows, self.colors) = (columns, rows, colors)
    }

    // MARK: Comparison

    /// Compares the picture with a golden picture.
    ///
    /// - Returns: The number of different cells and their place in CSS pixels, or `nil` if the pictures
    ///   match.
    public func difference(from golden: PictureGrid) -> String? {
        guard columns == golden.columns, rows == golden.rows else {
            return "\(columns)x\(rows) cells instead of \(golden.columns)x\(golden.rows)"
        }
        var cells: [(column: Int, row: Int)] = []
        for row in 0..<rows {
            for column in 0..<columns
            where !isCell(column, row, in: golden) || !golden.isCell(column, row, in: self) {
                cells.append((column, row))
            }
        }
        guard cells.count > Self.differencesMax else { return nil }
        let (left, right) = (cells.map(\.column).min() ?? 0, cells.map(\.column).max() ?? 0)
        let (top, bottom) = (cells.map(\.row).min() ?? 0, cells.map(\.row).max() ?? 0)
        let size = Self.cellPixels
        let place = "@\(left * size),\(top * size) \((right - left + 1) * size)x\((bottom - top + 1) * size)"
        return "\(cells.count) of \(columns * rows) cells differ, \(place)"
    }

    /// Returns whether the color of a cell is near the other picture's color at the same place, or between
    /// the colors around that place.
    private func isCell(_ column: Int, _ row: Int, in other: PictureGrid) -> Bool {
        let start = 3 * (row * columns + column)
        let nearRows = max(0, row - Self.reachOfRows)...min(rows - 1, row + Self.reachOfRows)
        let nearColumns = max(0, column - Self.reachInRow)...min(columns - 1, column + Self.reachInRow)
        for channel in start..<start + 3 {
            let level = Int(colors[channel])
            guard abs(level - Int(other.colors[channel])) > Self.tolerance else { continue }
            var (low, high) = (Int.max, Int.min)
            for nearRow in nearRows {
                for nearColumn in nearColumns {
                    let near = Int(other.colors[3 * (nearRow * columns + nearColumn) + channel - start])
                    (low, high) = (min(low, near), max(high, near))
                }
            }
            guard level >= low - Self.tolerance, level <= high + Self.tolerance else { return false }
        }
        return true
    }

    // MARK: Pictures in one file

    /// Returns pictures of one size as one picture, one below the other, or `nil` without pictures.
    public static func stack(_ pictures: [PictureGrid]) -> PictureGrid? {
        PictureGrid(
            columns: pictures.first?.columns ?? 0, rows: pictures.map(\.rows).reduce(0, +),
            colors: pictures.flatMap(\.colors))
    }

    /// Splits the picture into pictures of one size that are one below the other.
    ///
    /// - Returns: The pictures, or an empty list if the number of rows is not a multiple of `count`.
    public func split(into count: Int) -> [PictureGrid] {
        guard count > 0, rows % count == 0 else { return [] }
        let size = colors.count / count
        return (0..<count).compactMap { index in
            PictureGrid(
                columns: columns, rows: rows / count,
                colors: Array(colors[index * size..<(index + 1) * size]))
        }
    }
}
