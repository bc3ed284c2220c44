import FoundationEssentials
import Glibc

/// Formats numbers and times for people.
enum Formatted {
    /// Returns a size such as `8.1 MB`, in decimal units, as on memory cards.
    static func size(_ bytes: Int64) -> String {
        var value = Double(bytes)
        for unit in ["B", "kB", "MB", "GB", "TB"] {
            if value < 1000 || unit == "TB" {
                return unit == "B" ? "\(bytes) B" : tenths(value) + " " + unit
            }
            value /= 1000
        }
        return "\(bytes) B"
    }

    /// Returns a number such as `1,204`.
    static func count(_ number: Int) -> String {
        var result = ""
        for (index, digit) in String(number.magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return (number < 0 ? "-" : "") + String(result.reversed())
    }

    /// Returns `1 photo` or `212 photos`.
    static func photos(_ number: Int) -> String { count(number) + (number == 1 ? " photo" : " photos") }

    /// Returns `1 shot` or `212 shots`. A RAW and its JPEG are one shot.
    static func shots(_ number: Int) -> String { count(number) + (number == 1 ? " shot" : " shots") }

    /// Returns `1 camera` or `12 cameras`.
    static func cameras(_ number: Int) -> String { count(number) + (number == 1 ? " camera" : " cameras") }

    /// Returns an age such as `12 s ago`. Times in the future give `0 s ago`.
    static func age(of date: Date, now: Date) -> String {
        "\(duration(max(0, Int(now.timeIntervalSince(date))))) ago"
    }

    /// Returns a duration in whole units, such as `12 s`, `5 min`, `3 h` or `2 d`.
    static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// Returns a time in the host's time zone, such as `2025-11-21 14:02:05`.
    static func time(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let pad = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(pad(parts.tm_mon + 1))-\(pad(parts.tm_mday)) "
            + "\(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec))"
    }

    private static func tenths(_ value: Double) -> String {
        let rounded = Int((value * 10).rounded())
        return "\(count(rounded / 10)).\(rounded % 10)"
    }
}
