public import FoundationEssentials

/// A date and time of day as a clock on a wall shows them, without a zone.
///
/// Camera clocks have no zone: PTP gives them as "what the display shows". Counted in seconds since 1970-01-01
/// 00:00 of that same clock.
public struct WallClock: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 on this clock.
    public let seconds: Int64

    /// What a clock with a year of four digits can show, 0001-01-01 to 9999-12-31.
    public static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// A wall clock that shows `seconds` after the start of 1970; beyond ``range`` it shows the nearer end of that.
    public init(seconds: Int64) {
        self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Year, for example 2026.
    public var year: Int { civil.year }
    /// Month, 1...12.
    public var month: Int { civil.month }
    /// Day of the month, 1...31.
    public var day: Int { civil.day }
    /// Hour, 0...23.
    public var hour: Int { secondOfDay / 3600 }
    /// Minute, 0...59.
    public var minute: Int { secondOfDay / 60 % 60 }
    /// Second, 0...59.
    public var second: Int { secondOfDay % 60 }

    /// The moment at which the clock shows this in a zone.
    public func date(in zone: TimeZone) -> Date {
        let asIfUTC = Date(timeIntervalSince1970: TimeInterval(seconds))
        // The offset at nearly that moment, and then at the moment that it leads to.
        let nearly = asIfUTC.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: asIfUTC)))
        return asIfUTC.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: nearly)))
    }

    private var secondOfDay: Int { Int(seconds - dayNumber * 86400) }
    private var dayNumber: Int64 { (seconds - (seconds % 86400 + 86400) % 86400) / 86400 }

    /// Days to a date in the proleptic Gregorian calendar: eras of 400 years, years that start in March
    /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = Int(shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
