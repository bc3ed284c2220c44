import FrameFastAPI
import Glibc
import Localization
import TerminalUI

/// What happened to a photo, for people.
enum HistoryWords {
    static func step(_ step: HistoryStepReply) -> (word: String, tone: Tone) {
        switch step.kind {
        case .seen: (localized("Seen"), .neutral)
        case .fields: (localized("Fields"), .neutral)
        case .readFailed: (localized("Not read"), .warning)
        case .setAside: (localized("Damaged"), .danger)
        case .readAgain: (localized("Read again"), .neutral)
        case .saved: (localized("Saved"), .success)
        case .duplicate: (localized("Duplicate"), .neutral)
        case .verified: (localized("Second reading"), .success)
        case .upload: upload(step.outcome)
        case .held: (localized("Held"), .neutral)
        case .released: (localized("Released", "an upload"), .neutral)
        case .retried: (localized("Retried"), .neutral)
        case .putFirst: (localized("Put first"), .neutral)
        case .dropped: (localized("Dropped"), .neutral)
        case .rated: (localized("Rated"), .neutral)
        case .deletedOnCamera: (localized("Deleted in camera"), .neutral)
        case .cleared: (localized("Cleared"), .neutral)
        default: (TerminalText.escaped(step.kind.rawValue), .neutral)
        }
    }

    private static func upload(_ outcome: String?) -> (word: String, tone: Tone) {
        guard outcome != HistoryStepReply.refused else { return (localized("Refused"), .warning) }
        return switch outcome.map(UploadJobReply.State.init(rawValue:)) {
        case .delivered?: (localized("Delivered"), .success)
        case .failed?: (localized("Failed"), .danger)
        case .retrying?: (localized("Not delivered"), .warning)
        default: (localized("Cut off"), .warning)
        }
    }

    /// What else is known: how it was checked, why it did not work, what it was rated.
    static func detail(_ step: HistoryStepReply) -> String {
        let outcome: String? =
            switch step.kind {
            case .saved, .verified: step.outcome.map { verified(.init(rawValue: $0)) }
            case .rated: rating(step.outcome)
            case .held: step.outcome
            default: nil
            }
        return [outcome, step.detail, step.by.map(by)].compactMap(\.self).filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// `5 stars, picked`.
    private static func rating(_ outcome: String?) -> String {
        guard let outcome else { return localized("no stars") }
        return outcome.split(separator: " ").map { word in
            Int(word).map { localized($0, one: "\($0) star", other: "\($0) stars") } ?? ratingWord(word)
        }.joined(separator: ", ")
    }

    private static func ratingWord(_ word: Substring) -> String {
        switch word {
        case "picked": localized("picked")
        case "rejected": localized("rejected")
        default: String(word)
        }
    }

    private static func verified(_ word: CaptureReply.Verified) -> String {
        switch word {
        case .structure: localized("size and structure checked")
        case .awaitingReread: localized("second reading to come")
        case .reread: localized("read twice, the same bytes")
        default: word.rawValue
        }
    }

    /// Who asked: a user of this computer by name.
    private static func by(_ asker: String) -> String {
        guard let user = Asker(rawValue: asker).user else {
            let isDevice = asker.hasPrefix(Asker.devicePrefix)
            return localized("by \(isDevice ? asker.dropFirst(Asker.devicePrefix.count) : asker[...])")
        }
        return localized("by \(getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? asker)")
    }

    /// `0.4 s, 48.2 MB/s`.
    static func pace(_ step: HistoryStepReply) -> String {
        let seconds = step.seconds.map { Formatted.seconds($0) }
        let speed = step.bytesPerSecond.map { Formatted.size(Int64($0)) + "/s" }
        return [seconds, speed].compactMap(\.self).joined(separator: ", ")
    }
}
