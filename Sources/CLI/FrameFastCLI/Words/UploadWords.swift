import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// The vocabulary of uploads for people.
enum UploadWords {
    static func job(_ job: UploadJobReply, now: Date) -> (word: String, tone: Tone) {
        switch job.state {
        case _ where job.isRemoved: (localized("Removed"), .warning)
        case .held: (localized("Held"), .neutral)
        case .queued: (localized("Queued"), .neutral)
        case .uploading: (localized("Uploading") + percent(job), .busy)
        case .verifying: (localized("Verifying"), .busy)
        case .delivered: (localized("Delivered"), .success)
        case .retrying: (localized("Retrying") + wait(job, now), .warning)
        case .failed: (localized("Failed"), .danger)
        default: (TerminalText.escaped(job.state.rawValue), .neutral)
        }
    }

    static func destination(_ destination: DestinationReply) -> (word: String, tone: Tone) {
        switch destination.state {
        case .ready where destination.statistics.uploading + destination.statistics.verifying > 0:
            (localized("Uploading"), .busy)
        case .ready: (localized("Ready"), .success)
        case .paused: (localized("Paused"), .neutral)
        case .away: (localized("Away"), .warning)
        case .metered: (localized("Metered"), .neutral)
        case .refusing: (localized("Refused"), .danger)
        case .removed: (localized("Removed"), .warning)
        default: (TerminalText.escaped(destination.state.rawValue), .neutral)
        }
    }

    /// A state by its word.
    static func state(_ word: String) -> UploadJobReply.State? {
        UploadJobReply.State.all.first { $0.rawValue == word.lowercased() }
    }

    /// The words that ``state(_:)`` takes, for people.
    static let states = UploadJobReply.State.all.map(\.rawValue).joined(separator: ", ")

    /// What a mode is called.
    static func mode(_ mode: SessionReply.UploadMode) -> String {
        switch mode {
        case .realtime: localized("Real-time upload")
        case .offline: localized("Shoot offline")
        case .jpegFirst: localized("JPEG first")
        case .rated: localized("Rated photos")
        case .manual: localized("Manual")
        case .scheduled: localized("Scheduled")
        default: mode.rawValue
        }
    }

    /// What a mode does, in a line.
    static func meaning(_ mode: SessionReply.UploadMode) -> String {
        switch mode {
        case .realtime: localized("Each photo is uploaded at once.")
        case .offline: localized("Everything is held until you release it.")
        case .jpegFirst: localized("JPEGs go first, RAWs once the JPEGs are through.")
        case .rated: localized("Only rated photos, and those protected in camera.")
        case .manual: localized("Only what you add with `framefast queue add`.")
        case .scheduled: localized("At set times, or once enough photos are there.")
        default: ""
        }
    }

    /// `1 upload`, `212 uploads`.
    static func uploads(_ number: Int) -> String {
        localized(
            number, one: "\(Formatted.count(number)) upload", other: "\(Formatted.count(number)) uploads")
    }

    /// `1 file`, `212 files`.
    static func files(_ number: Int) -> String {
        localized(number, one: "\(Formatted.count(number)) file", other: "\(Formatted.count(number)) files")
    }

    /// Upload jobs by state, those that there are, what needs attention first; empty when there are none.
    static func statistics(_ statistics: UploadStatisticsReply) -> [String] {
        [
            (statistics.failed, localized("failed")), (statistics.retrying, localized("retrying")),
            (statistics.uploading + statistics.verifying, localized("uploading")),
            (statistics.queued, localized("queued")),
            (statistics.held, localized("held")), (statistics.delivered, localized("delivered")),
        ].filter { $0.0 > 0 }.map { "\(Formatted.count($0.0)) \($0.1)" }
    }

    private static func percent(_ job: UploadJobReply) -> String {
        guard job.bytes > 0 else { return "" }
        return " \(min(100, Int(Double(job.bytesSent) / Double(job.bytes) * 100))) %"
    }

    private static func wait(_ job: UploadJobReply, _ now: Date) -> String {
        guard let retryAt = job.retryAt else { return "" }
        let seconds = Int(retryAt.timeIntervalSince(now).rounded(.up))
        return switch seconds {
        // Due, and its turn comes: the destination may be away.
        case ...0: ""
        case ..<60: " " + localized("in \(seconds) s")
        case ..<3600: " " + localized("in \((seconds + 59) / 60) min")
        default: " " + localized("in \((seconds + 3599) / 3600) h")
        }
    }
}
