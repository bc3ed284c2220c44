import FrameFastSystem

/// A small picture of a photo, as `framefast-picture` made it, and what it found out on the way.
public struct MadePicture: Sendable {
    /// What became of it; words that `framefast-picture` answers with, by their numbers there.
    public enum Outcome: UInt8, Hashable, Sendable, CaseIterable {
        case made
        /// Nothing in the file can be shown: raw data only, or no picture.
        case nothing
        /// More pixels than are decoded.
        case tooLarge
        /// It cannot be decoded, or what decodes it died over it.
        case broken
    }

    /// A colour: red, green, blue.
    public struct Colour: Hashable, Sendable {
        /// Red in the upper, blue in the lower byte.
        public var number: Int
        /// Creates a colour.
        public init(number: Int) { self.number = number }
    }

    /// Bytes before the histogram, and of the histogram: see `ShotPicture` of the picture's process.
    static let headBytes = 20
    static let histogramBytes = 3 * 256 * 4

    /// What became of it.
    public var outcome: Outcome
    /// Pixels of what the camera took, as it is turned; 0 when unknown.
    public var width: Int
    /// See ``width``.
    public var height: Int
    /// The mean colour.
    public var mean: Colour
    /// How often each value of red, green and blue occurs in the small picture: three times 256.
    public var histogram: [Int]
    /// The picture; empty when there is none.
    public var jpeg: [UInt8]

    /// Reads an answer.
    ///
    /// - Returns: `nil` for what is none, or was cut short.
    init?(_ bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        let picture = Self.headBytes + Self.histogramBytes
        guard bytes.count >= picture, let outcome = Outcome(rawValue: bytes[15]),
            number(16..<20) == bytes.count - picture
        else { return nil }
        self.outcome = outcome
        width = number(0..<4)
        height = number(4..<8)
        mean = Colour(number: number(12..<15))
        histogram = (0..<(3 * 256)).map { number((Self.headBytes + $0 * 4)..<(Self.headBytes + $0 * 4 + 4)) }
        jpeg = Array(bytes[picture...])
        guard jpeg.isEmpty == (outcome != .made) else { return nil }
    }

    /// A picture that cannot be had.
    init(none outcome: Outcome) {
        self.outcome = outcome
        (width, height, mean) = (0, 0, Colour(number: 0))
        histogram = Array(repeating: 0, count: 3 * 256)
        jpeg = []
    }

    /// The bytes from which it is read again; only what has no picture is written here.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.headBytes + Self.histogramBytes)
        bytes[15] = outcome.rawValue
        return bytes
    }
}

/// A photo of which a picture is wanted.
public struct PictureSource: Hashable, Sendable {
    /// SHA-256 of its bytes in lower-case hex: what a picture is kept under.
    public var content: String
    /// Where it is.
    public var path: String

    /// Creates a value.
    public init(content: String, path: String) {
        self.content = content
        self.path = path
    }
}
