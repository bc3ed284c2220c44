/// A moment by the host's and by the camera's clock. The camera's clock has no time zone, as in most cameras.
struct WallTime: Hashable, Sendable {
    /// The host's time, in milliseconds since 1970 in UTC.
    var hostMs: Int64
    /// The offset of the camera's clock from UTC, in seconds: the host's time zone plus the error of the
    /// camera's clock.
    var offsetSeconds = 0
    /// The host's monotonic clock at this moment, in nanoseconds, or 0 if it was not read.
    var monotonicNs: Int64 = 0

    /// Returns the same moment on a clock that is `seconds` ahead of this clock.
    func ahead(by seconds: Int) -> WallTime {
        var time = self
        time.offsetSeconds += seconds
        return time
    }

    /// Returns the moment `milliseconds` later on the same clock.
    func later(byMs milliseconds: Int64) -> WallTime {
        var time = self
        time.hostMs += milliseconds
        if time.monotonicNs > 0 { time.monotonicNs += milliseconds * 1_000_000 }
        return time
    }

    /// The time on the camera's clock, in seconds since 1970. The clock is treated as UTC.
    var cameraSeconds: Int64 { flooredSeconds + Int64(offsetSeconds) }

    /// The time in PTP's format: `20240131T235959`.
    var ptp: String {
        let c = civil
        return
            "\(c.year)\(pad(c.month))\(pad(c.day))T\(pad(c.hour))\(pad(c.minute))\(pad(c.second))"
    }

    /// The time in EXIF's format: `2024:01:31 23:59:59`.
    var exif: String {
        let c = civil
        return
            "\(c.year):\(pad(c.month)):\(pad(c.day)) \(pad(c.hour)):\(pad(c.minute)):\(pad(c.second))"
    }

    /// The time in ISO 8601 format without a time zone: `2024-01-31T23:59:59.123`.
    var iso: String {
        let c = civil
        return
            "\(c.year)-\(pad(c.month))-\(pad(c.day))T\(pad(c.hour)):\(pad(c.minute)):\(pad(c.second)).\(milliseconds)"
    }

    /// The milliseconds within the second, as three digits.
    var milliseconds: String {
        let rest = Int(hostMs - flooredSeconds * 1000)
        return String(String(1000 + rest).dropFirst())
    }

    /// Parses a PTP date and time and returns seconds since 1970. The time is treated as UTC. Returns `nil`
    /// if the text isn't a valid date.
    static func cameraSeconds(ptp text: String) -> Int64? {
        let digits = Array(text.utf8.prefix(15))
        guard digits.count == 15, digits[8] == UInt8(ascii: "T") else { return nil }
        func number(_ range: Range<Int>) -> Int64? { Int64(String(decoding: digits[range], as: UTF8.self)) }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        return ((days(year: year, month: month, day: day) * 24 + hour) * 60 + minute) * 60 + second
    }

    private var flooredSeconds: Int64 { hostMs >= 0 ? hostMs / 1000 : (hostMs - 999) / 1000 }

    private func pad(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private var civil: (year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
        let total = cameraSeconds
        let daySeconds = ((total % 86_400) + 86_400) % 86_400
        // Civil from days: H. Hinnant, "chrono-compatible low-level date algorithms".
        let z = (total - daySeconds) / 86_400 + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let doe = z - era * 146_097
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100)
        let mp = (5 * doy + 2) / 153
        let month = mp < 10 ? mp + 3 : mp - 9
        let year = yoe + era * 400 + (month <= 2 ? 1 : 0)
        let day = doy - (153 * mp + 2) / 5 + 1
        return (year, month, day, daySeconds / 3600, daySeconds / 60 % 60, daySeconds % 60)
    }

    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yoe = y - era * 400
        let doy = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
    }
}
