import APIServer
import Cameras
import CaptureEngine
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// Publishes what happens to event streams, in the words of the wire: each with the whole new value. Where nobody follows,
/// nothing is looked up and put together: who comes begins with a snapshot.
struct EventPublisher {
    private let hub: EventHub
    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let engine: CaptureEngine
    private let uploads: UploadService
    private let newest: NewestCaptures
    private let destinations: DestinationReplies
    private let uploadStatistics: CurrentValue<UploadStatisticsReply>

    /// Captures that are told of one by one when they change together: a page and a half of `watch`.
    private static let togetherMax = 300

    init(_ parts: DaemonParts) {
        hub = parts.hub
        ledger = parts.ledger
        registry = parts.registry
        engine = parts.engine
        uploads = parts.uploads
        newest = parts.newest
        destinations = parts.destinationReplies
        uploadStatistics = parts.uploadStatistics
    }

    /// Whether any stream is open.
    private var isFollowed: Bool { hub.readerCount > 0 }

    /// Events were left out: whoever follows asks anew.
    func resync() { hub.resync() }

    /// Publishes the whole value of a camera.
    func camera(_ status: CameraStatus) {
        guard isFollowed else { return }
        hub.publish(.camera(CameraReply(status, newest: newest)))
    }

    func conditions(_ conditions: [Condition]) {
        guard isFollowed else { return }
        hub.publish(.conditions(conditions.map { ConditionReply($0, cameraName: registry.name(of:)) }))
    }

    /// A photo was saved: it may be the newest one of its camera.
    func remember(saved record: CaptureRecord) {
        newest.remember(record, of: engine.naming.camera(record.bodyID).id)
    }

    /// A capture and those of its shot: what happens to one may be what all of them wait for.
    func capture(_ id: CaptureID) async {
        guard isFollowed else { return }
        for capture in (try? await ledger.shot(of: id)) ?? [] {
            hub.publish(.capture(CaptureReply(capture, naming: engine.naming)))
        }
    }

    func upload(_ event: UploadEvent) async {
        if case .statistics(let all) = event { uploadStatistics.replace(with: UploadStatisticsReply(all)) }
        guard isFollowed else { return }
        switch event {
        case .job(let job), .progress(let job), .dropped(let job):
            let record = try? await ledger.capture(id: job.captureID)
            hub.publish(
                .upload(
                    UploadJobReply(job, record, naming: engine.naming, configured: uploads.destinations)))
            if case .progress = event { return }
            await capture(job.captureID)
        case .statistics(let all):
            for statistics in all { hub.publish(.destination(destinations.reply(statistics))) }
        case .changed(let captures):
            // Whoever follows is quicker asking anew than hearing of each photo of a long queue.
            guard captures.count <= Self.togetherMax else { return hub.resync() }
            for id in captures { await capture(id) }
        case .photosCleared(let photos):
            for photo in photos { await capture(photo.id) }
        case .standing, .raised, .cleared, .shortage: break
        }
    }
}
