/// Conversion between a daily time range, in minutes since midnight, and text such as `22:00-06:00`.
public enum TimeRangeText {
    /// Parses text such as `22:00-06:00` or `9:30 - 17:05`. Both times may be equal.
    ///
    /// - Returns: The two times, 0..<1440, or `nil` if the text is not a time range.
    public static func minutes(of text: String) -> (start: Int, end: Int)? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(minute)
        guard ends.count == 2, let start = ends[0], let end = ends[1] else { return nil }
        return (start, end)
    }

    /// Returns the text of a range, with two digits for each hour and minute.
    public static func text(start: Int, end: Int) -> String { text(start) + "-" + text(end) }

    private static func text(_ minute: Int) -> String {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour):" + (rest < 10 ? "0" : "") + "\(rest)"
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.trimmingPrefix(while: \.isWhitespace).split(
            separator: ":", omittingEmptySubsequences: false)
        // `Int` accepts a plus sign.
        guard parts.count == 2, !text.contains("+"), let hour = Int(parts[0]),
            let minute = Int(parts[1].prefix(2)), parts[1].dropFirst(2).allSatisfy(\.isWhitespace),
            (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}
