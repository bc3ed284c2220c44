import FrameFastAPI
import Localization

/// How fast photos came in lately, for people.
enum PaceWords {
    /// `on disk after 18 ms`, `99 of 100 after 60 ms`, `48.2 MB/s`; empty when none came.
    static func facts(_ pace: PaceReply?) -> [String] {
        guard let pace else { return [] }
        return [
            pace.medianMs.map { localized("on disk after \(Formatted.milliseconds($0))") },
            pace.slowMs.map { localized("99 of 100 after \(Formatted.milliseconds($0))") }, speed(pace),
        ].compactMap(\.self)
    }

    /// `18 ms, 48.2 MB/s`, where there is little space.
    static func short(_ pace: PaceReply?) -> String? {
        guard let pace else { return nil }
        let words = [pace.medianMs.map(Formatted.milliseconds), speed(pace)].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    static func plain(_ pace: PaceReply?) -> String {
        let facts = facts(pace)
        return "speed: " + (facts.isEmpty ? "nothing saved lately" : facts.joined(separator: ", "))
    }

    private static func speed(_ pace: PaceReply) -> String? {
        pace.bytesPerSecond.map { Formatted.size($0) + "/s" }
    }
}
