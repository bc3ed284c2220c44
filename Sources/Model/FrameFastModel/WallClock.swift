public import FoundationEssentials
import Glibc

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
    public var year: Int { Int(civil.tm_year) + 1900 }
    /// The month, 1...12.
    public var month: Int { Int(civil.tm_mon) + 1 }
    /// The day of the month, 1...31.
    public var day: Int { Int(civil.tm_mday) }
    /// The hour, 0...23.
    public var hour: Int { Int(civil.tm_hour) }
    /// The minute, 0...59.
    public var minute: Int { Int(civil.tm_min) }
    /// The second, 0...59.
    public var second: Int { Int(civil.tm_sec) }

    /// Returns the moment at which a clock in this time zone shows this time.
    public func date(in zone: TimeZone) -> Date {
        let asIfUTC = Date(timeIntervalSince1970: TimeInterval(seconds))
        // The offset of a zone depends on the moment. The first offset gives an approximate moment, and the
        // offset at that moment gives the result.
        let approximateDate = asIfUTC.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: asIfUTC)))
        return asIfUTC.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: approximateDate)))
    }

    /// The date in the proleptic Gregorian calendar, and the time of day.
    private var civil: tm {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        return parts
    }
}
