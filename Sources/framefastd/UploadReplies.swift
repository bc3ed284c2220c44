import APIServer
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// From the queue's nouns to the wire's.
extension DaemonControl {
    func reply(_ figures: UploadFigures) -> DestinationReply {
        let configured = configuration.destinations.first { $0.name == figures.destination }
        let (state, breaker) = Self.words(figures.standing)
        return DestinationReply(
            name: figures.destination, kind: .init(rawValue: configured?.kindOnWire ?? ""),
            location: configured?.location ?? "", state: state, breaker: breaker,
            since: standings.since(figures.destination, state),
            figures: UploadFiguresReply(figures.counts, figures.running),
            bytesPerSecond: Int64(figures.bytesPerSecond),
            lastError: figures.trouble.map {
                UploadErrorReply(at: standings.since(figures.destination, state), sentence: $0)
            })
    }

    private static func words(_ standing: UploadStanding) -> (
        DestinationReply.State, DestinationReply.Breaker
    ) {
        switch standing {
        case .ready: (.ready, .closed)
        case .paused: (.paused, .closed)
        case .metered: (.init(rawValue: "metered"), .closed)
        case .away(nextTry: nil): (.away, .halfOpen)
        case .away: (.away, .open)
        case .refusing: (.init(rawValue: "refusing"), .open)
        }
    }

    func reply(_ job: UploadJob) async throws(ControlError) -> UploadJobReply {
        let record = try await asking { [ledger] in try await ledger.capture(id: job.captureID) }
        return reply(job, record)
    }

    func reply(_ job: UploadJob, _ record: CaptureRecord?) -> UploadJobReply {
        let hold = job.state == .held ? job.hold : nil
        return UploadJobReply(
            id: job.id, capture: job.captureID, originalName: record?.object.name ?? job.fileName,
            path: record?.path ?? "", camera: engine.naming.cameraName(job.cameraID), session: job.sessionID,
            destination: job.destination, state: .init(rawValue: job.state.rawValue),
            reason: hold?.sentence ?? job.sentence, nextStep: hold?.nextStep ?? job.nextStep,
            attempts: job.attempts, retryAt: job.nextAttemptAt, bytes: Int64(clamping: job.bytes),
            bytesSent: Int64(clamping: job.sentBytes), proof: job.delivery.map { .init(rawValue: $0.proof) },
            evidence: job.delivery?.evidence, remoteName: job.delivery?.remoteName ?? job.remoteName,
            updatedAt: job.deliveredAt ?? job.claimedAt ?? job.createdAt)
    }
}

extension UploadFiguresReply {
    init(_ counts: UploadCounts, _ running: [UploadJob] = []) {
        let verifying = running.count { $0.state == .verifying }
        self.init(
            held: counts[.held].jobs, waiting: counts[.queued].jobs,
            uploading: max(counts[.uploading].jobs - verifying, 0), verifying: verifying,
            delivered: counts[.delivered].jobs, retrying: counts[.waiting].jobs,
            abandoned: counts[.failed].jobs)
    }

    /// All destinations together.
    init(_ all: [UploadFigures]) {
        self.init()
        for figures in all {
            let one = UploadFiguresReply(figures.counts, figures.running)
            held += one.held
            waiting += one.waiting
            uploading += one.uploading
            verifying += one.verifying
            delivered += one.delivered
            retrying += one.retrying
            abandoned += one.abandoned
        }
    }
}

extension Configuration.Destination {
    /// The kind in the wire's words: FTP with TLS is `ftps`.
    var kindOnWire: String { kind == "ftp" && texts["encryption"] != "none" ? "ftps" : kind }

    /// Where it is, for people, without secrets.
    var location: String {
        switch kind {
        case "s3": "\(texts["url"] ?? "")/\(texts["bucket"] ?? "")/\(texts["prefix"] ?? "")"
        case "sftp", "ftp": "\(texts["host"] ?? ""):\(texts["path"] ?? "")"
        case "webdav", "http": texts["url"] ?? ""
        case "rclone": texts["remote"] ?? ""
        case "command": lists["command"]?.first ?? ""
        default: texts["path"] ?? ""
        }
    }
}

extension Configuration {
    /// The windows of mode `scheduled`, as they were written.
    var uploadWindows: String? {
        func time(_ minute: Int) -> String {
            let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
            return (hour < 10 ? "0" : "") + "\(hour):" + (rest < 10 ? "0" : "") + "\(rest)"
        }
        let words = upload.schedule.windows.map { "\(time($0.start))-\(time($0.end))" }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension UploadJob {
    /// The last part of the wanted name: what is told where the photo itself is not looked up.
    fileprivate var fileName: String { remoteName.split(separator: "/").last.map(String.init) ?? remoteName }
}
