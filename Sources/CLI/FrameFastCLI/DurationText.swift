/// Spans of time as people write them.
enum DurationText {
    /// Longest span that is understood, in days.
    static let daysMax: Int64 = 36_500

    /// Seconds of `30d`, `30 d`, `12h`, `90min`, `2w`; `nil` for anything else.
    static func seconds(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let number = Int64(digits), number <= daysMax * 86_400 else { return nil }
        let factor: Int64
        switch unit {
        case "s": factor = 1
        case "min": factor = 60
        case "h": factor = 3600
        case "d": factor = 86_400
        case "w": factor = 7 * 86_400
        default: return nil
        }
        let (seconds, isTooLong) = number.multipliedReportingOverflow(by: factor)
        return isTooLong || seconds > daysMax * 86_400 ? nil : seconds
    }
}
