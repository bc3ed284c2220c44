import APIServer
import Cameras
import CaptureEngine
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// A publisher of events to the API's event streams. Each event has the complete new value.
///
/// The publisher reads the ledger and publishes events only while a stream is open. A new stream begins with
/// a snapshot.
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

    /// Publishes an event, if any stream is open.
    ///
    /// - Parameter body: Creates the content of the event. Called only if a stream is open.
    func publish(_ body: @autoclosure () -> EventReply.Body) {
        if isFollowed { hub.publish(body()) }
    }

    /// Publishes the complete value of a camera.
    func publishCamera(_ status: CameraStatus) {
        publish(.camera(CameraReply(status, newest: newest)))
    }

    func publishConditions(_ conditions: [Condition]) {
        publish(.conditions(conditions.map { ConditionReply($0, cameraName: registry.name(of:)) }))
    }

    /// Records a saved photo, which may be the newest photo of its camera.
    func remember(saved record: CaptureRecord) {
        newest.remember(record, of: engine.naming.camera(record.bodyID).id)
    }

    /// Handles a saved photo that became a duplicate. All streams resynchronize, because the API has no event
    /// for a removed capture, and because other files of its shot may have moved to another shot.
    func forget(duplicate record: CaptureRecord) {
        newest.forget(record.id, of: engine.naming.camera(record.bodyID).id)
        hub.resync()
    }

    /// Publishes the committed state of a capture. Also publishes the other captures of its shot, because
    /// their states may depend on this capture.
    ///
    /// The state depends on the records of the shot's files and on all their uploads. The capture engine and
    /// the runners of several destinations change these values at the same time. Their events may be queued
    /// in another order than their commits. The publisher therefore reads the state from the ledger, and
    /// handles one event at a time. The last published state is then the last committed state.
    func publishCapture(_ id: CaptureID) async {
        guard isFollowed else { return }
        for capture in (try? await ledger.shot(of: id)) ?? [] {
            hub.publish(.capture(CaptureReply(capture, naming: engine.naming)))
        }
    }

    /// Publishes a shot whose file was saved or delivered.
    ///
    /// - Parameter id: The number of the file.
    func publishShot(of id: CaptureID) async {
        guard isFollowed, let shot = try? await ledger.shotOverview(of: ShotID(first: id)) else { return }
        hub.publish(.shot(ShotChangeReply(shot)))
    }

    func publishUpload(_ event: UploadEvent) async {
        if case .statistics(let all) = event { uploadStatistics.replace(with: UploadStatisticsReply(all)) }
        guard isFollowed else { return }
        switch event {
        case .job(let job, let photo), .progress(let job, let photo), .dropped(let job, let photo):
            hub.publish(
                .upload(
                    UploadJobReply(job, photo, naming: engine.naming, configured: uploads.destinations)))
            if case .progress = event { return }
            await publishCapture(job.captureID)
            if job.state == .delivered { await publishShot(of: job.captureID) }
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
