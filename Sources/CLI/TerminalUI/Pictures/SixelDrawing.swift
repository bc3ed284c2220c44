/// Encodes pictures as sixels (DEC STD 070): in bands of six lines, one color at a time. Each byte is a
/// column of six pixels.
enum SixelDrawing {
    /// The number of levels of each color channel. Every terminal with sixels supports the resulting 216
    /// colors.
    private static let levels = 6
    /// A Bayer matrix (4 × 4) for dithering colors between two levels. The offsets are sixteenths of a level.
    /// An offset is added to a color before the color is rounded down.
    private static let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    static func text(_ pixels: Pixels) -> String {
        var out: [UInt8] = Array("\u{1B}Pq\"1;1;\(pixels.width);\(pixels.height)".utf8)
        let colors = (0..<(pixels.width * pixels.height)).map { color(of: $0, in: pixels) }
        var isDefined = [Bool](repeating: false, count: levels * levels * levels)
        for band in stride(from: 0, to: pixels.height, by: 6) {
            let rows = band..<min(band + 6, pixels.height)
            var present: [Int: [UInt8]] = [:]
            for row in rows {
                for column in 0..<pixels.width {
                    present[
                        colors[row * pixels.width + column],
                        default: [UInt8](repeating: 0, count: pixels.width)][
                            column] |= 1 << UInt8(row - band)
                }
            }
            for (number, columns) in present.sorted(by: { $0.key < $1.key }) {
                out += Array("#\(number)".utf8)
                if !isDefined[number] {
                    isDefined[number] = true
                    out += definition(of: number)
                }
                append(columns, to: &out)
                // Return to the start of the band.
                out.append(UInt8(ascii: "$"))
            }
            out.append(UInt8(ascii: "-"))
        }
        return String(decoding: out, as: UTF8.self) + "\u{1B}\\"
    }

    private static func color(of index: Int, in pixels: Pixels) -> Int {
        let (row, column) = index.quotientAndRemainder(dividingBy: pixels.width)
        let offset = pattern[(row & 3) * 4 + (column & 3)] * 2 + 1
        return (0..<3).reduce(0) { number, channel in
            // A channel has 51 values between two levels. The offset decides between the lower and the upper
            // level.
            let level = (Int(pixels.bytes[index * 3 + channel]) * 32 * (levels - 1) / 255 + offset) / 32
            return number * levels + min(level, levels - 1)
        }
    }

    /// Returns the definition of a color: red, green and blue in percent.
    private static func definition(of number: Int) -> [UInt8] {
        let parts = [number / (levels * levels), number / levels % levels, number % levels]
        let percent = parts.map { String($0 * 100 / (levels - 1)) }.joined(separator: ";")
        return Array(";2;\(percent)".utf8)
    }

    /// Appends columns. Runs of four or more are run-length encoded.
    private static func append(_ columns: [UInt8], to out: inout [UInt8]) {
        var index = 0
        while index < columns.count {
            let value = columns[index]
            let end = columns[index...].firstIndex { $0 != value } ?? columns.count
            let sign = value + 63
            if end - index > 3 {
                out += Array("!\(end - index)".utf8) + [sign]
            } else {
                out += [UInt8](repeating: sign, count: end - index)
            }
            index = end
        }
    }
}
