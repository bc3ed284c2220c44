import FoundationEssentials
import Glibc

/// The value of a camera setting in FrameFast's format, which is the same for all drivers. Examples: `1/125`
/// for "0.0080s" or "1/125", `5.6` for "f/5.6", `+0.7` for "0.666", `auto` for "Natural light auto".
public struct CameraSettingValue: Hashable, Sendable, CustomStringConvertible {
    /// The text in FrameFast's format.
    public let text: String

    /// Creates a value from text that already has FrameFast's format.
    init(known text: String) { self.text = text }

    /// The text in FrameFast's format.
    public var description: String { text }

    /// Creates an exposure time.
    ///
    /// - Parameter seconds: The time, from 0 (exclusive) to an hour. The result is `nil` for other values.
    public init?(seconds: Double) {
        guard seconds > 0, seconds <= Self.secondsMax else { return nil }
        text = Self.time(seconds)
    }

    /// Creates an exposure compensation.
    ///
    /// - Parameter stops: The compensation, from -10 to +10. The result is `nil` for other values.
    public init?(stops: Double) {
        guard abs(stops) <= Self.stopsMax else { return nil }
        text = Self.stops(stops)
    }

    /// The exposure time, in seconds, or `nil` for a keyword.
    public var seconds: Double? { Self.seconds(text) }

    // MARK: Reading

    /// The shortest exposure time that is written in seconds. Shorter times are written as a fraction.
    private static let fractionEnd = 0.29
    /// The longest exposure time, in seconds. Cameras offer at most an hour.
    private static let secondsMax = 3_600.0
    /// The largest compensation in either direction, in stops.
    private static let stopsMax = 10.0
    /// The largest f-number. Pinhole lenses reach 256.
    private static let apertureMax = 256.0
    /// The longest keyword, in bytes.
    private static let wordBytesMax = 64
    /// The largest ISO number and color temperature.
    private static let numberMax = 10_000_000

    /// Parses text from a person or a driver, or returns `nil` for text that is not a value of the key.
    ///
    /// The comparison of keywords ignores case. A key whose form is ``CameraSettingKey/Form/word`` accepts
    /// every keyword, because the available keywords depend on the camera.
    public init?(_ written: String, for key: CameraSettingKey) {
        let word = written.drop { $0.isWhitespace }.lowercased()
        guard !word.isEmpty, word.utf8.count <= Self.wordBytesMax, let text = Self.text(word, for: key) else {
            return nil
        }
        self.text = text
    }

    private static func text(_ word: String, for key: CameraSettingKey) -> String? {
        switch key.form {
        // A mode or size of one letter is a capital letter, as on the camera's dial.
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

    /// Parses "5.6", "13/10", "+1/3" and "1 1/3".
    private static func number(_ text: Substring) -> Double? {
        var text = text
        var sign = 1.0
        if let first = text.first, first == "+" || first == "-" {
            sign = first == "-" ? -1 : 1
            text = text.dropFirst()
        }
        // Rejects "nan", "0x1p3" and "1e5", which `Double` accepts.
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

    /// Parses "1/125", "0.0080s", "30 sec" and "2m".
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

    /// Returns the denominator of the nearest time on a camera's dial. The driver truncates times to a tenth
    /// of a millisecond: 1/640 becomes 0.0016.
    private static func denominator(_ inverse: Double) -> Int {
        dial.first { abs(log2(Double($0) / inverse)) < 1 / 24.0 } ?? Int(inverse.rounded())
    }

    /// The denominators of the exposure times that cameras offer, in thirds and halves of a stop.
    private static let dial = [
        4, 5, 6, 8, 10, 13, 15, 20, 25, 30, 40, 45, 50, 60, 80, 90, 100, 125, 160, 180, 200, 250, 320, 350,
        400, 500,
        640, 750, 800, 1000, 1250, 1500, 1600, 2000, 2500, 3000, 3200, 4000, 5000, 6000, 6400, 8000, 10000,
        12800,
        16000, 20000, 25600, 32000, 64000,
    ]

    /// Returns stops as text. Thirds are .3 and .7, as on cameras. Drivers truncate them to .3 and .6.
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

    /// Returns the value on a scale in stops, for comparison, or `nil` for a keyword.
    public func stops(of key: CameraSettingKey) -> Double? {
        switch key.form {
        case .word: nil
        case .number: Int(text).map { log2(Double($0)) }
        // A factor of √2 in the f-number is one stop.
        case .aperture: Self.number(text[...]).map { 2 * log2($0) }
        case .time: Self.seconds(text).map { log2($0) }
        case .stops: Self.number(text[...])
        }
    }

    /// Returns the value in `values` that is nearest to this value. Returns `nil` if this value is a keyword,
    /// or if `values` contains only keywords.
    public func nearest(of key: CameraSettingKey, among values: [CameraSettingValue]) -> CameraSettingValue? {
        guard let ownStops = stops(of: key) else { return nil }
        return values.compactMap { value in value.stops(of: key).map { (value, abs($0 - ownStops)) } }
            .min { $0.1 < $1.1 }?.0
    }
}

extension CameraSettingValue: Codable {
    /// Decodes text in FrameFast's format.
    public init(from decoder: any Decoder) throws {
        self.init(known: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
