/// The coded blocks of a scene: 8 × 8 pixels of brightness and of two color differences.
struct SceneBlock {
    /// A block of one component.
    struct Component {
        /// The quantized DC coefficient.
        var dc: Int
        /// The codes of the AC coefficients.
        var ac: [BitString]
    }

    /// The brightness, then the two color differences.
    var components: [Component]

    /// The quantizer of all coefficients. The brightness of a block without details is exact.
    static let quantizer = 4

    /// Creates a block of one color.
    ///
    /// - Parameter grain: The number of a pattern of fine details, or `nil` for a block without details.
    init(_ color: SceneColor, grain: Int? = nil) {
        components = color.components.map { level in
            // The DC coefficient of a block without details is eight times its level.
            let dc = ((level - 128) * 8 / Double(Self.quantizer)).rounded()
            return Component(dc: Int(dc), ac: Self.endOfBlock)
        }
        if let grain { components[0].ac = Self.grain[grain % Self.grain.count] }
    }

    /// Creates a block of 64 pixels, row by row.
    init(_ pixels: [SceneColor]) {
        let levels = pixels.map(\.components)
        components = (0..<3).map { index in
            let coefficients = CosineTransform.coefficients(of: levels.map { $0[index] - 128 })
            let quantized = CosineTransform.zigzag.map { place in
                Int((coefficients[place] / Double(Self.quantizer)).rounded())
            }
            return Component(dc: quantized[0], ac: Self.codes(of: quantized))
        }
    }

    private static let endOfBlock = [HuffmanTable.ac.code(of: 0x00)]
    /// The number of zeros that `longRunCode` represents.
    private static let longRun = 16
    private static let longRunCode = 0xF0

    /// Returns the codes of a block's AC coefficients. The 64 coefficients must be in the order of the scan.
    private static func codes(of coefficients: [Int]) -> [BitString] {
        var codes: [BitString] = []
        var zeros = 0
        for value in coefficients.dropFirst() {
            guard value != 0 else {
                zeros += 1
                continue
            }
            while zeros >= longRun {
                codes.append(HuffmanTable.ac.code(of: longRunCode))
                zeros -= longRun
            }
            codes.append(HuffmanTable.ac.code(of: zeros << 4 | HuffmanTable.category(of: value)))
            codes.append(HuffmanTable.magnitude(of: value))
            zeros = 0
        }
        return zeros > 0 ? codes + endOfBlock : codes
    }

    /// The codes of patterns of fine details. The patterns do not change the mean color of a block. A picture
    /// with these patterns has about the size and the decoding time of a photo.
    private static let grain: [[BitString]] = {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<64).map { _ in
            var coefficients = [Int](repeating: 0, count: 64)
            for index in 1...20 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                coefficients[index] = Int((state >> 32) % 7) - 3
            }
            return codes(of: coefficients)
        }
    }()
}
