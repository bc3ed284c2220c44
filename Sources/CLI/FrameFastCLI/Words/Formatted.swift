import FoundationEssentials
import Glibc

/// Numbers and times as people read them.
enum Formatted {
    /// `8.1 MB`, decimal, as cards and cameras count.
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

    /// `1,204`.
    static func count(_ number: Int) -> String {
        var result = ""
        for (index, digit) in String(number.magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return (number < 0 ? "-" : "") + String(result.reversed())
    }

    /// `1 photo`, `212 photos`.
    static func photos(_ number: Int) -> String { count(number) + (number == 1 ? " photo" : " photos") }

    /// `1 shot`, `212 shots`: a RAW and its JPEG are one.
    static func shots(_ number: Int) -> String { count(number) + (number == 1 ? " shot" : " shots") }

    /// `1 camera`, `12 cameras`.
    static func cameras(_ number: Int) -> String { count(number) + (number == 1 ? " camera" : " cameras") }

    /// `12 s ago`; the future counts as now.
    static func age(of date: Date, now: Date = Date()) -> String {
        "\(duration(max(0, Int(now.timeIntervalSince(date))))) ago"
    }

    /// `12 s`, `5 min`, `3 h`, `2 d`: whole ones.
    static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// `2025-11-21 14:02:05` in the host's zone.
    static func time(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let pad = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(pad(parts.tm_mon + 1))-\(pad(parts.tm_mday)) "
            + "\(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec))"
    }

    /// `12` or `12.5`.
    static func rate(_ value: Double) -> String {
        value == value.rounded() ? count(Int(value)) : tenths(value)
    }

    private static func tenths(_ value: Double) -> String {
        let rounded = Int((value * 10).rounded())
        return "\(count(rounded / 10)).\(rounded % 10)"
    }
}
