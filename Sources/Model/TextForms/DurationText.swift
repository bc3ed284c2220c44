/// Conversion between a duration and text such as `2 s`, as in the configuration and on the command line.
public enum DurationText {
    /// The longest duration that ``duration(of:bareUnit:)`` accepts, in days.
    public static let daysMax: Int64 = 36_500

    private static let units: [String: Double] = [
        "ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]

    /// Parses text such as `500 ms`, `2 s`, `1.5 min`, `1 h`, `30d` or `2w`.
    ///
    /// - Parameter bareUnit: The unit for a number without a unit, or `nil` to require a unit.
    /// - Returns: The duration, or `nil` if the text is not a duration or is longer than ``daysMax``.
    public static func duration(of text: String, bareUnit: String? = nil) -> Duration? {
        guard let (number, unit) = ByteSizeText.split(text),
            let factor = units[unit.isEmpty ? bareUnit ?? "" : unit]
        else { return nil }
        let milliseconds = number * factor
        guard milliseconds <= Double(daysMax) * 86_400_000 else { return nil }
        return .milliseconds(Int64(milliseconds.rounded()))
    }

    /// Returns the text of a duration in whole seconds, or in milliseconds if the seconds have a fraction.
    public static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0
            ? "\(seconds) s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
