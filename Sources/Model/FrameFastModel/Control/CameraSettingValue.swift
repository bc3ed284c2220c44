import FoundationEssentials
import Glibc

/// A value of a camera's setting in the one spelling that it has here: `1/125` whether the driver says "0.0080s" or
/// "1/125", `5.6` for "f/5.6", `+0.7` for "0.666", `auto` for "Natural light auto".
public struct CameraSettingValue: Hashable, Sendable, CustomStringConvertible {
    /// The spelling.
    public let text: String

    /// A spelling that is known to be one of ours.
    init(known text: String) { self.text = text }

    /// The spelling.
    public var description: String { text }

    /// An exposure time.
    ///
    /// - Parameter seconds: more than 0; `nil` for longer than an hour, and for what is no number.
    public init?(seconds: Double) {
        guard seconds > 0, seconds <= Self.secondsMax else { return nil }
        text = Self.time(seconds)
    }

    /// Stops of compensation.
    ///
    /// - Parameter stops: `nil` for more than ten in either direction, and for what is no number.
    public init?(stops: Double) {
        guard abs(stops) <= Self.stopsMax else { return nil }
        text = Self.stops(stops)
    }

    /// How long an exposure time is, in seconds; `nil` for a word.
    public var seconds: Double? { Self.seconds(text) }

    // MARK: Reading

    /// Exposure times from this on are written as seconds, shorter ones as a fraction.
    private static let fractionEnd = 0.29
    /// Longest exposure time, in seconds: an hour, which is what cameras offer at most.
    private static let secondsMax = 3_600.0
    /// Most stops of compensation in either direction.
    private static let stopsMax = 10.0
    /// Largest f-number: pinholes are said to have 256.
    private static let apertureMax = 256.0
    /// Bytes of a word: far more than any that cameras have.
    private static let wordBytesMax = 64
    /// Largest ISO number and colour temperature.
    private static let numberMax = 10_000_000

    /// Reads what a person or a driver writes; `nil` for what is no value of this key.
    ///
    /// Words are compared without case. Of a key of words every word is one: whether a camera has it is the camera's.
    public init?(_ written: String, for key: CameraSettingKey) {
        let word = written.drop { $0.isWhitespace }.lowercased()
        guard !word.isEmpty, word.utf8.count <= Self.wordBytesMax, let text = Self.text(word, for: key) else {
            return nil
        }
        self.text = text
    }

    private static func text(_ word: String, for key: CameraSettingKey) -> String? {
        switch key.form {
        // Modes are capital letters, as on the dial, and so are sizes.
        case .word:
            return word.utf8.count == 1 && (key == .mode || key == .imageSize) ? word.uppercased() : word
        case .number:
            if let number = Int(word) { return (1...numberMax).contains(number) ? String(number) : nil }
            return key == .iso && word.hasPrefix("auto") ? word : nil
        case .aperture:
            if word == "auto" { return word }
            let digits =
                word.hasPrefix("f/") ? word.dropFirst(2) : word.hasPrefix("f") ? word.dropFirst() : word[...]
            guard let number = number(digits), number > 0, number <= apertureMax else { return nil }
            return decimal(number)
        case .time:
            if ["bulb", "time", "auto"].contains(word) { return word }
            guard let seconds = seconds(word), seconds > 0, seconds <= secondsMax else { return nil }
            return time(seconds)
        case .stops:
            guard let number = number(word[...]), abs(number) <= stopsMax else { return nil }
            return stops(number)
        }
    }

    /// "5.6", "13/10", "+1/3", "1 1/3".
    private static func number(_ text: Substring) -> Double? {
        var text = text
        var sign = 1.0
        if let first = text.first, first == "+" || first == "-" {
            sign = first == "-" ? -1 : 1
            text = text.dropFirst()
        }
        // Neither "nan" nor "0x1p3" nor "1e5" is a number that anybody writes here.
        guard text.first?.isNumber == true,
            text.allSatisfy({ $0.isASCII && ($0.isNumber || "./ ".contains($0)) })
        else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count <= 2 else { return nil }
        var sum = 0.0
        for part in parts {
            let fraction = part.split(separator: "/", omittingEmptySubsequences: false)
            guard fraction.count <= 2, let above = Double(fraction[0]) else { return nil }
            guard fraction.count == 2 else {
                sum += above
                continue
            }
            guard let below = Double(fraction[1]), below > 0 else { return nil }
            sum += above / below
        }
        return sum.isFinite ? sign * sum : nil
    }

    /// "1/125", "0.0080s", "30 sec", "2m".
    private static func seconds(_ word: String) -> Double? {
        let digits = word.prefix { $0.isNumber || "./ ".contains($0) }
        let unit: Double? =
            switch word.dropFirst(digits.count) {
            case "", "s", "sec", "\"": 1
            case "m": 60
            default: nil
            }
        guard let unit, let number = number(digits.hasSuffix(" ") ? digits.dropLast() : digits) else {
            return nil
        }
        return number * unit
    }

    // MARK: Writing

    private static func decimal(_ number: Double) -> String {
        let tenths = (number * 10).rounded()
        return tenths.truncatingRemainder(dividingBy: 10) == 0
            ? String(Int(tenths / 10)) : "\(Int(tenths) / 10).\(Int(tenths) % 10)"
    }

    private static func time(_ seconds: Double) -> String {
        seconds < fractionEnd ? "1/\(denominator(1 / seconds))" : decimal(seconds)
    }

    /// The driver cuts times to a tenth of a millisecond: 1/640 becomes 0.0016. The number on the dial is meant.
    private static func denominator(_ inverse: Double) -> Int {
        dial.first { abs(log2(Double($0) / inverse)) < 1 / 24.0 } ?? Int(inverse.rounded())
    }

    /// Denominators of the times that cameras offer, in thirds and halves of a stop.
    private static let dial = [
        4, 5, 6, 8, 10, 13, 15, 20, 25, 30, 40, 45, 50, 60, 80, 90, 100, 125, 160, 180, 200, 250, 320, 350,
        400, 500,
        640, 750, 800, 1000, 1250, 1500, 1600, 2000, 2500, 3000, 3200, 4000, 5000, 6000, 6400, 8000, 10000,
        12800,
        16000, 20000, 25600, 32000, 64000,
    ]

    /// Thirds are .3 and .7, as cameras show them; drivers cut them to .3 and .6.
    private static func stops(_ stops: Double) -> String {
        let whole = abs(stops).rounded(.down)
        let tenth: Int
        switch abs(stops) - whole {
        case ..<0.15: tenth = 0
        case ..<0.42: tenth = 3
        case ..<0.58: tenth = 5
        case ..<0.85: tenth = 7
        default: return stops < 0 ? "-\(Int(whole) + 1)" : "+\(Int(whole) + 1)"
        }
        guard whole > 0 || tenth > 0 else { return "0" }
        return (stops < 0 ? "-" : "+") + "\(Int(whole))" + (tenth > 0 ? ".\(tenth)" : "")
    }

    // MARK: Comparing

    /// Where a value stands in stops on its scale, so that the nearest one can be found; `nil` for words.
    public func stops(of key: CameraSettingKey) -> Double? {
        switch key.form {
        case .word: nil
        case .number: Int(text).map { log2(Double($0)) }
        // Twice the light is a factor of the root of two.
        case .aperture: Self.number(text[...]).map { 2 * log2($0) }
        case .time: Self.seconds(text).map { log2($0) }
        case .stops: Self.number(text[...])
        }
    }

    /// The one of some values that is nearest to this one; `nil` when this is a word, or none of them is a number.
    public func nearest(of key: CameraSettingKey, among values: [CameraSettingValue]) -> CameraSettingValue? {
        guard let place = stops(of: key) else { return nil }
        return values.compactMap { value in value.stops(of: key).map { (value, abs($0 - place)) } }
            .min { $0.1 < $1.1 }?.0
    }
}

extension CameraSettingValue: Codable {
    /// Reads a spelling as it was written by this type.
    public init(from decoder: any Decoder) throws {
        self.init(known: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the spelling.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
