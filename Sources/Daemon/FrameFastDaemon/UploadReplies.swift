import APIServer
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import SettingKeys
import Store
import UploadEngine

/// From the queue's nouns to the wire's.
extension DaemonControl {
    func reply(_ statistics: UploadStatistics) -> DestinationReply {
        let configured = configuration.destinations.first { $0.id == statistics.destination }
        let (state, breaker) = Self.words(statistics.standing)
        return DestinationReply(
            name: statistics.destination, kind: .init(rawValue: configured?.kindOnWire ?? ""),
            location: configured?.location ?? "", state: state, breaker: breaker,
            since: standings.since(statistics.destination, state),
            statistics: UploadStatisticsReply(statistics.counts, statistics.running),
            bytesPerSecond: Int64(statistics.bytesPerSecond),
            lastError: lastError(statistics, since: standings.since(statistics.destination, state)))
    }

    private func lastError(_ statistics: UploadStatistics, since: Date) -> UploadErrorReply? {
        if statistics.standing == .removed {
            return UploadErrorReply(
                at: since, sentence: RemovedDestination.sentence,
                nextStep: RemovedDestination.nextStep(statistics.destination))
        }
        return statistics.trouble.map {
            UploadErrorReply(at: $0.at, sentence: $0.sentence, nextStep: $0.nextStep)
        }
    }

    static func words(_ standing: UploadStanding) -> (
        DestinationReply.State, DestinationReply.Breaker
    ) {
        switch standing {
        case .ready: (.ready, .closed)
        case .paused: (.paused, .closed)
        case .metered: (.metered, .closed)
        case .away(nextTry: nil): (.away, .halfOpen)
        case .away: (.away, .open)
        case .refusing: (.refusing, .open)
        case .removed: (.removed, .closed)
        }
    }

    func reply(_ job: UploadJob, _ record: CaptureRecord?) -> UploadJobReply {
        let hold = job.state == .held ? job.hold : nil
        let camera = engine.naming.camera(job.bodyID)
        let isRemoved = job.state != .delivered && !uploads.destinations.contains(job.destination)
        let trouble =
            isRemoved
            ? (RemovedDestination.sentence, RemovedDestination.nextStep(job.destination))
            : (hold?.sentence ?? job.sentence, hold?.nextStep ?? job.nextStep)
        return UploadJobReply(
            id: job.id, capture: job.captureID, originalName: record?.object.name ?? job.fileName,
            path: record?.path ?? "", cameraID: camera.id, cameraName: camera.name, session: job.sessionID,
            destination: job.destination, isRemoved: isRemoved, state: .init(rawValue: job.state.rawValue),
            reason: trouble.0, nextStep: trouble.1,
            attempts: job.attempts, retryAt: job.nextAttemptAt, bytes: Int64(clamping: job.bytes),
            bytesSent: Int64(clamping: job.sentBytes), proof: job.delivery.map { .init(rawValue: $0.proof) },
            evidence: job.delivery?.evidence, remoteName: job.delivery?.remoteName ?? job.remoteName,
            updatedAt: job.deliveredAt ?? job.claimedAt ?? job.createdAt)
    }
}

extension UploadStatisticsReply {
    init(_ counts: UploadCounts, _ running: [UploadJob] = []) {
        let verifying = running.count { $0.state == .verifying }
        self.init(
            held: counts[.held].jobs, queued: counts[.queued].jobs,
            uploading: max(counts[.uploading].jobs - verifying, 0), verifying: verifying,
            delivered: counts[.delivered].jobs, retrying: counts[.retrying].jobs,
            failed: counts[.failed].jobs)
    }

    /// All destinations together.
    init(_ all: [UploadStatistics]) {
        self.init()
        for statistics in all where statistics.standing != .removed {
            let one = UploadStatisticsReply(statistics.counts, statistics.running)
            held += one.held
            queued += one.queued
            uploading += one.uploading
            verifying += one.verifying
            delivered += one.delivered
            retrying += one.retrying
            failed += one.failed
        }
    }
}

extension UploadJob {
    /// The last part of the wanted name: what is told where the photo itself is not looked up.
    fileprivate var fileName: String { remoteName.split(separator: "/").last.map(String.init) ?? remoteName }
}
