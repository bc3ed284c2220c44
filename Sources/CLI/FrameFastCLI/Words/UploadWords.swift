import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The words and tones for uploads.
enum UploadWords {
    static func job(_ job: UploadJobReply, now: Date) -> (word: String, tone: Tone) {
        switch job.state {
        case _ where job.isRemoved: ("Removed", .warning)
        case .held: ("Held", .neutral)
        case .queued: ("Queued", .neutral)
        case .uploading: ("Uploading" + percent(job), .busy)
        case .verifying: ("Verifying", .busy)
        case .delivered: ("Delivered", .success)
        case .retrying: ("Retrying" + retryDelay(job, now), .warning)
        case .failed: ("Failed", .danger)
        case nil: (TerminalText.escaped(job.$state.text), .neutral)
        }
    }

    static func destination(_ destination: DestinationReply) -> (word: String, tone: Tone) {
        let isSending = destination.statistics.uploading + destination.statistics.verifying > 0
        if destination.state == .ready, isSending { return CaptureState.uploading.badge }
        return destination.state?.badge ?? StateWords.unknown(destination.$state.text)
    }

    /// Returns the state with this name, or `nil` if no state has this name.
    static func state(_ word: String) -> UploadState? { UploadState(rawValue: word.lowercased()) }

    /// The names that ``state(_:)`` accepts, for messages.
    static let states = UploadState.allCases.map(\.rawValue).joined(separator: ", ")

    /// The help about held photos that are older than the running session, for verbs that release uploads.
    static let unsorted = """
        Uploads of photos that are older than the running session and belong to no session stay held, because \
        these photos may belong to another client. To send such an upload, give its number.
        """

    /// Returns the name of a mode, or its word on the wire if the mode is unknown.
    static func mode(_ mode: Word<UploadMode>) -> String {
        mode.known?.title ?? mode.text
    }

    /// Returns the meaning of a mode, in one line.
    static func meaning(_ mode: UploadMode) -> String {
        switch mode {
        case .realtime: "Photos are uploaded immediately."
        case .offline: "All uploads are held until you release them."
        case .jpegFirst: "JPEGs are uploaded first, then RAW files."
        case .rated: "Only rated or protected photos are uploaded."
        case .manual: "You add each photo with `framefast queue add`."
        case .scheduled: "Photos are uploaded at set times or in batches."
        }
    }

    /// Returns `1 upload` or `212 uploads`.
    static func uploads(_ number: Int) -> String {
        Formatted.count(number) + (number == 1 ? " upload" : " uploads")
    }

    /// Returns `1 file` or `212 files`.
    static func files(_ number: Int) -> String {
        Formatted.count(number) + (number == 1 ? " file" : " files")
    }

    /// Returns the counts of uploads by state, without zeros. The states that need attention come first.
    static func statistics(_ statistics: UploadStatisticsReply) -> [String] {
        [
            (statistics.failed, "failed"), (statistics.retrying, "retrying"),
            (statistics.uploading + statistics.verifying, "uploading"), (statistics.queued, "queued"),
            (statistics.held, "held"), (statistics.delivered, "delivered"),
        ].filter { $0.0 > 0 }.map { "\(Formatted.count($0.0)) \($0.1)" }
    }

    private static func percent(_ job: UploadJobReply) -> String {
        guard job.bytes > 0 else { return "" }
        return " \(min(100, Int(Double(job.bytesSent) / Double(job.bytes) * 100))) %"
    }

    private static func retryDelay(_ job: UploadJobReply, _ now: Date) -> String {
        guard let retryAt = job.retryAt else { return "" }
        let seconds = Int(retryAt.timeIntervalSince(now).rounded(.up))
        return switch seconds {
        // The retry is due, but may have to wait, for example for an unreachable destination.
        case ...0: ""
        case ..<60: " in \(seconds) s"
        case ..<3600: " in \((seconds + 59) / 60) min"
        default: " in \((seconds + 3599) / 3600) h"
        }
    }
}
