/// Spans of time as people write them: in the configuration, on the command line.
public enum DurationText {
    /// Longest span that is understood, in days.
    public static let daysMax: Int64 = 36_500

    private static let units: [String: Double] = [
        "ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]

    /// Reads `500 ms`, `2 s`, `1.5 min`, `1 h`, `30d`, `2w`; `nil` when it is none of these, or longer than
    /// ``daysMax``.
    ///
    /// - Parameter bareUnit: The unit of a number alone; `nil` where there has to be one.
    public static func duration(of text: String, bareUnit: String? = nil) -> Duration? {
        guard let (number, unit) = ByteSizeText.split(text),
            let factor = units[unit.isEmpty ? bareUnit ?? "" : unit]
        else { return nil }
        let milliseconds = number * factor
        guard milliseconds <= Double(daysMax) * 86_400_000 else { return nil }
        return .milliseconds(Int64(milliseconds.rounded()))
    }

    /// Writes whole seconds or milliseconds.
    public static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0
            ? "\(seconds) s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
