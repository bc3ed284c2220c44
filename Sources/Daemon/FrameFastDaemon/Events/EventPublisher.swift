import APIServer
import Cameras
import CaptureEngine
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// A publisher of events to the API's event streams. Each event has the complete new value.
///
/// The publisher does no work while no stream is open. A new stream begins with a snapshot.
struct EventPublisher {
    private let hub: EventHub
    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let engine: CaptureEngine
    private let uploads: UploadService
    private let newest: NewestCaptures
    private let destinations: DestinationReplies
    private let uploadStatistics: CurrentValue<UploadStatisticsReply>

    /// The maximum number of captures that are published one by one when they change together: one and a half
    /// pages of `watch`.
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

    /// Makes all streams resynchronize after events were dropped.
    func resync() { hub.resync() }

    /// Publishes the complete value of a camera.
    func publishCamera(_ status: CameraStatus) {
        guard isFollowed else { return }
        hub.publish(.camera(CameraReply(status, newest: newest)))
    }

    func publishConditions(_ conditions: [Condition]) {
        guard isFollowed else { return }
        hub.publish(.conditions(conditions.map { ConditionReply($0, cameraName: registry.name(of:)) }))
    }

    /// Records a saved photo, which may be the newest photo of its camera.
    func remember(saved record: CaptureRecord) {
        newest.remember(record, of: engine.naming.camera(record.bodyID).id)
    }

    /// Publishes a capture. Also publishes the other captures of its shot, because their states may depend on
    /// this capture.
    func publishCapture(_ id: CaptureID) async {
        guard isFollowed else { return }
        for capture in (try? await ledger.shot(of: id)) ?? [] {
            hub.publish(.capture(CaptureReply(capture, naming: engine.naming)))
        }
    }

    func publishUpload(_ event: UploadEvent) async {
        if case .statistics(let all) = event { uploadStatistics.replace(with: UploadStatisticsReply(all)) }
        guard isFollowed else { return }
        switch event {
        case .job(let job), .progress(let job), .dropped(let job):
            let record = try? await ledger.capture(id: job.captureID)
            hub.publish(
                .upload(
                    UploadJobReply(job, record, naming: engine.naming, configured: uploads.destinations)))
            if case .progress = event { return }
            await publishCapture(job.captureID)
        case .statistics(let all):
            for statistics in all { hub.publish(.destination(destinations.reply(statistics))) }
        case .changed(let captures):
            // For many captures, one resynchronization is faster than one event for each capture.
            guard captures.count <= Self.togetherMax else { return hub.resync() }
            for id in captures { await publishCapture(id) }
        case .photosCleared(let photos):
            for photo in photos { await publishCapture(photo.id) }
        case .state, .raised, .cleared, .shortage: break
        }
    }
}
