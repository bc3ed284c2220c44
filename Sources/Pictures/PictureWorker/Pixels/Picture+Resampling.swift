extension Picture {
    /// Returns the size of a picture that must fit into a square box. A picture keeps its proportions, and a
    /// picture that already fits keeps its size.
    static func size(width: Int, height: Int, inBox side: Int) -> (width: Int, height: Int) {
        let longest = max(width, height)
        guard longest > side else { return (width, height) }
        return (
            max(1, (width * side + longest / 2) / longest), max(1, (height * side + longest / 2) / longest)
        )
    }

    /// Returns the picture at another size, with a Catmull-Rom filter. If the new picture is smaller, the
    /// filter covers all source pixels of each new pixel. Fine patterns therefore cause no moiré.
    func resampled(to size: (width: Int, height: Int)) -> Picture {
        guard size.width != width || size.height != height else { return self }
        let columns = ResamplingWeights(from: width, to: size.width)
        let rows = ResamplingWeights(from: height, to: size.height)
        var narrow = [UInt8](repeating: 0, count: size.width * height * 3)
        bytes.withUnsafeBufferPointer { old in
            narrow.withUnsafeMutableBufferPointer { new in
                for y in 0..<height {
                    columns.applyToRow(
                        UnsafeBufferPointer(rebasing: old[(y * width * 3)..<((y + 1) * width * 3)]),
                        into: UnsafeMutableBufferPointer(
                            rebasing: new[(y * size.width * 3)..<((y + 1) * size.width * 3)]))
                }
            }
        }
        var resized = [UInt8](repeating: 0, count: size.width * size.height * 3)
        narrow.withUnsafeBufferPointer { old in
            resized.withUnsafeMutableBufferPointer { new in
                rows.applyToColumns(old, rowBytes: size.width * 3, into: new)
            }
        }
        return Picture(width: size.width, height: size.height, bytes: resized)
    }
}

/// The weights of source pixels in each new pixel of a row or a column.
private struct ResamplingWeights {
    /// The sum of all weights of a new pixel.
    private static let one: Int32 = 1 << 14
    /// The radius of the filter, in pixels of the smaller picture.
    private static let radius = 2.0

    /// The index of the first source pixel for each new pixel.
    private var firsts: [Int] = []
    /// The range of ``weights`` for each new pixel.
    private var ranges: [Range<Int>] = []
    private var weights: [Int32] = []

    init(from old: Int, to new: Int) {
        let step = Double(old) / Double(new)
        // If the new picture is larger, the radius is in source pixels.
        let scale = max(step, 1)
        for index in 0..<new {
            let center = (Double(index) + 0.5) * step
            let first = min(max(0, Int((center - Self.radius * scale).rounded(.down))), old - 1)
            let end = max(first + 1, min(old, Int((center + Self.radius * scale).rounded(.up))))
            let values = (first..<end).map { Self.filter((Double($0) + 0.5 - center) / scale) }
            let sum = values.reduce(0, +)
            var rounded = values.map { Int32(($0 / sum * Double(Self.one)).rounded()) }
            // Adds the rounding error to the largest weight. Areas of one color then stay unchanged.
            let largest = rounded.indices.max { rounded[$0] < rounded[$1] } ?? 0
            rounded[largest] += Self.one - rounded.reduce(0, +)
            firsts.append(first)
            ranges.append(weights.count..<(weights.count + rounded.count))
            weights += rounded
        }
    }

    /// The Catmull-Rom filter.
    private static func filter(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }

    /// Resamples one row of pixels with three bytes each.
    func applyToRow(_ old: UnsafeBufferPointer<UInt8>, into new: UnsafeMutableBufferPointer<UInt8>) {
        weights.withUnsafeBufferPointer { weights in
            for index in firsts.indices {
                var (red, green, blue): (Int32, Int32, Int32) = (0, 0, 0)
                var place = firsts[index] * 3
                for weight in ranges[index] {
                    red += weights[weight] * Int32(old[place])
                    green += weights[weight] * Int32(old[place + 1])
                    blue += weights[weight] * Int32(old[place + 2])
                    place += 3
                }
                new[index * 3] = Self.level(red)
                new[index * 3 + 1] = Self.level(green)
                new[index * 3 + 2] = Self.level(blue)
            }
        }
    }

    /// Resamples all columns of a picture.
    func applyToColumns(
        _ old: UnsafeBufferPointer<UInt8>, rowBytes: Int, into new: UnsafeMutableBufferPointer<UInt8>
    ) {
        var sums = [Int32](repeating: 0, count: rowBytes)
        sums.withUnsafeMutableBufferPointer { sums in
            for index in firsts.indices {
                sums.update(repeating: 0)
                for (row, weight) in zip(firsts[index]..., weights[ranges[index]]) {
                    for byte in 0..<rowBytes { sums[byte] += weight * Int32(old[row * rowBytes + byte]) }
                }
                for byte in 0..<rowBytes { new[index * rowBytes + byte] = Self.level(sums[byte]) }
            }
        }
    }

    private static func level(_ sum: Int32) -> UInt8 { UInt8(clamping: (sum + one / 2) >> 14) }
}
