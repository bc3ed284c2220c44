import Glibc

/// A moment, as the host's clock and the camera's clock show it. The camera's clock has no time zone, as in
/// most cameras.
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
    var ptp: String { text("%Y%m%dT%H%M%S") }

    /// The time in EXIF's format: `2024:01:31 23:59:59`.
    var exif: String { text("%Y:%m:%d %H:%M:%S") }

    /// The time in ISO 8601 format without a time zone: `2024-01-31T23:59:59.123`.
    var iso: String { text("%Y-%m-%dT%H:%M:%S") + "." + milliseconds }

    /// The milliseconds within the second, as three digits.
    var milliseconds: String {
        let rest = Int(hostMs - flooredSeconds * 1000)
        return String(String(1000 + rest).dropFirst())
    }

    /// Parses a PTP date and time and returns seconds since 1970. The time is treated as UTC. Returns `nil`
    /// if the text is not a valid date.
    static func cameraSeconds(ptp text: String) -> Int64? {
        let digits = Array(text.utf8.prefix(15))
        guard digits.count == 15, digits[8] == UInt8(ascii: "T") else { return nil }
        func number(_ range: Range<Int>) -> Int32? { Int32(String(decoding: digits[range], as: UTF8.self)) }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return Int64(timegm(&parts))
    }

    private var flooredSeconds: Int64 { hostMs >= 0 ? hostMs / 1000 : (hostMs - 999) / 1000 }

    /// Returns the time on the camera's clock in a format of strftime(3).
    private func text(_ format: String) -> String {
        var seconds = time_t(cameraSeconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return String(unsafeUninitializedCapacity: 32) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
        }
    }
}
