import FoundationEssentials
import Glibc
import Localization

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
        let group = localized(",", "between thousands")
        var result = ""
        for (index, digit) in String(number.magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { result = group + result }
            result = "\(digit)" + result
        }
        return (number < 0 ? "-" : "") + result
    }

    /// `1 photo`, `212 photos`.
    static func photos(_ number: Int) -> String {
        localized(number, one: "\(count(number)) photo", other: "\(count(number)) photos")
    }

    /// `1 shot`, `212 shots`: a RAW and its JPEG are one.
    static func shots(_ number: Int) -> String {
        localized(number, one: "\(count(number)) shot", other: "\(count(number)) shots")
    }

    /// `1 camera`, `8 cameras`.
    static func cameras(_ number: Int) -> String {
        localized(number, one: "\(count(number)) camera", other: "\(count(number)) cameras")
    }

    /// `3 s ahead`, `75 s behind`: of a camera's clock.
    static func drift(_ seconds: Int) -> String {
        let amount = count(abs(seconds))
        return seconds > 0 ? localized("\(amount) s ahead") : localized("\(amount) s behind")
    }

    /// `12 s ago`; the future counts as now.
    static func age(of date: Date, now: Date = Date()) -> String {
        localized("\(duration(max(0, Int(now.timeIntervalSince(date))))) ago")
    }

    /// `12 s`, `5 min`, `3 h`, `2 d`: whole ones.
    static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: localized("\(seconds) s")
        case ..<3600: localized("\(seconds / 60) min")
        case ..<86_400: localized("\(seconds / 3600) h")
        default: localized("\(seconds / 86_400) d")
        }
    }

    /// `0.4 s`, `75 s`, `5 min`: tenths where a person would notice them.
    static func seconds(_ seconds: Double) -> String {
        seconds < 10 ? localized("\(tenths(max(0, seconds))) s") : duration(Int(seconds))
    }

    /// `18 ms`, `1.2 s`, `75 s`.
    static func milliseconds(_ number: Int) -> String {
        number < 1_000 ? localized("\(max(0, number)) ms") : seconds(Double(number) / 1_000)
    }

    /// `2025-11-21 14:02:05` in the host's zone.
    static func time(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let pad = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        let day = localized("\(parts.tm_year + 1900)-\(pad(parts.tm_mon + 1))-\(pad(parts.tm_mday))", "day")
        return "\(day) \(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec))"
    }

    /// `12` or `12.5`.
    static func rate(_ value: Double) -> String {
        value == value.rounded() ? count(Int(value)) : tenths(value)
    }

    private static func tenths(_ value: Double) -> String {
        let rounded = Int((value * 10).rounded())
        return localized("\(count(rounded / 10)).\(rounded % 10)", "number")
    }
}
