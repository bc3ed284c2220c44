public import FoundationEssentials

/// A date and time of day without a time zone.
///
/// Camera clocks have no time zone: PTP reports the time that the camera displays. The value counts seconds
/// since 1970-01-01 00:00 on the same clock.
public struct WallClock: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 on this clock.
    public let seconds: Int64

    /// The range of a clock with a four-digit year, 0001-01-01 to 9999-12-31.
    public static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Creates a wall-clock time from seconds since 1970-01-01 00:00:00, clamped to ``range``.
    public init(seconds: Int64) {
        self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The year, for example 2026.
    public var year: Int { civil.year }
    /// The month, 1...12.
    public var month: Int { civil.month }
    /// The day of the month, 1...31.
    public var day: Int { civil.day }
    /// The hour, 0...23.
    public var hour: Int { secondOfDay / 3600 }
    /// The minute, 0...59.
    public var minute: Int { secondOfDay / 60 % 60 }
    /// The second, 0...59.
    public var second: Int { secondOfDay % 60 }

    /// Returns the moment at which a clock in this time zone shows this time.
    public func date(in zone: TimeZone) -> Date {
        let asIfUTC = Date(timeIntervalSince1970: TimeInterval(seconds))
        // Computes the moment with the offset at an approximate moment, and corrects it with the offset at
        // the result.
        let approximateDate = asIfUTC.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: asIfUTC)))
        return asIfUTC.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: approximateDate)))
    }

    private var secondOfDay: Int { Int(seconds - dayNumber * 86400) }
    private var dayNumber: Int64 { (seconds - (seconds % 86400 + 86400) % 86400) / 86400 }

    /// The date in the proleptic Gregorian calendar. The algorithm uses eras of 400 years, and years that
    /// start in March (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
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
