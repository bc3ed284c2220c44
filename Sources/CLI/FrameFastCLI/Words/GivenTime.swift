import ArgumentParser
import FoundationEssentials
import FrameFastAPI
import Glibc

/// A moment in the past as people say it: `2h`, `3d`, `14:30`, `today`, `yesterday`, `2026-05-01`, `2026-05-01 14:30`; in the
/// host's zone where it is a time of day.
struct GivenTime: ExpressibleByArgument {
    static let forms = "\"2h\", \"3d\", \"14:30\", \"yesterday\", \"2026-05-01\", \"2026-05-01 14:30\""

    let date: Date

    init?(argument: String) { self.init(argument, now: Date()) }

    init?(_ text: String, now: Date) {
        guard let date = Self.age(text, now) ?? Self.day(text, now) ?? WireTime.date(of: text) else {
            return nil
        }
        self.date = date
    }

    private static func age(_ text: String, _ now: Date) -> Date? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = UInt32(text.dropLast()) else {
            return nil
        }
        return now.addingTimeInterval(-Double(number) * unit)
    }

    private static func day(_ text: String, _ now: Date) -> Date? {
        switch text {
        case "today": return moment(now)
        case "yesterday": return moment(now, daysBefore: 1)
        default: break
        }
        let halves = text.split(separator: " ", omittingEmptySubsequences: false)
        guard halves.count <= 2, let last = halves.last, let first = halves.first else { return nil }
        let clock = numbers(last, ":", 2...3)
        if halves.count == 1, let clock { return moment(now, clock: clock) }
        guard let day = numbers(first, "-", 3...3), day[0] >= 1970 else { return nil }
        guard halves.count == 1 || clock != nil else { return nil }
        return moment(now, day: day, clock: clock ?? [0, 0])
    }

    private static func numbers(_ text: Substring, _ separator: Character, _ count: ClosedRange<Int>)
        -> [Int32]?
    {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map { Int32($0) }
        guard count.contains(parts.count), !parts.contains(nil) else { return nil }
        return parts.compactMap(\.self)
    }

    /// A time of day in the host's zone; `nil` where the calendar has none such: `2026-02-30`, `25:00`. Of an hour that
    /// there is twice, when summer time ends, the first; one that is left out is the hour after it.
    private static func moment(
        _ now: Date, day: [Int32]? = nil, daysBefore: Int32 = 0, clock: [Int32] = [0, 0]
    ) -> Date? {
        var seconds = time_t(now.timeIntervalSince1970)
        var wanted = tm()
        localtime_r(&seconds, &wanted)
        if let day { (wanted.tm_year, wanted.tm_mon, wanted.tm_mday) = (day[0] - 1900, day[1] - 1, day[2]) }
        wanted.tm_mday -= daysBefore
        (wanted.tm_hour, wanted.tm_min, wanted.tm_sec) = (clock[0], clock[1], clock.count > 2 ? clock[2] : 0)
        guard (0...23).contains(clock[0]), (0...59).contains(clock[1]) else { return nil }
        // Left to choose, mktime(3) takes of two hours the one that the call before it came upon.
        let (standard, summer) = (read(wanted, isSummer: 0), read(wanted, isSummer: 1))
        let exact = [standard, summer].compactMap(\.self).filter(\.isExact)
        guard let found = exact.min(by: { $0.time < $1.time }) ?? standard else { return nil }
        let isReal = day == nil || (found.day == wanted.tm_mday && found.month == wanted.tm_mon)
        return isReal ? Date(timeIntervalSince1970: TimeInterval(found.time)) : nil
    }

    /// What mktime(3) makes of a time of day, taken as one of summer time or not.
    private static func read(
        _ wanted: tm, isSummer: Int32
    ) -> (time: time_t, day: Int32, month: Int32, isExact: Bool)? {
        var parts = wanted
        parts.tm_isdst = isSummer
        let time = mktime(&parts)
        guard time != -1 else { return nil }
        return (
            time, parts.tm_mday, parts.tm_mon, parts.tm_isdst == isSummer && parts.tm_hour == wanted.tm_hour
        )
    }
}
