import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import Synchronization

/// The service as a whole: its state, everything at a glance, and what is wrong.
final class ServiceHandler: EndpointHandler {
    private let cameras: CameraHandler
    private let captures: CaptureHandler
    let sessions: SessionHandler
    private let destinations: DestinationHandler
    private let storage: StorageHandler
    private let conditionList: ConditionList
    /// Of all destinations together, as the queue told them last.
    private let uploadStatistics: CurrentValue<UploadStatisticsReply>
    private let hub: EventHub
    private let startedAt = Date()
    private let state = Mutex(StatusReply.State.starting)

    init(
        cameras: CameraHandler, captures: CaptureHandler, sessions: SessionHandler,
        destinations: DestinationHandler, storage: StorageHandler, conditions: ConditionList,
        uploadStatistics: CurrentValue<UploadStatisticsReply>, hub: EventHub
    ) {
        self.cameras = cameras
        self.captures = captures
        self.sessions = sessions
        self.destinations = destinations
        self.storage = storage
        conditionList = conditions
        self.uploadStatistics = uploadStatistics
        self.hub = hub
    }

    func attach(to table: inout EndpointTable) {
        table.on(\.service.version) { () throws(ControlError) in
            VersionReply(version: ProductVersion.current)
        }
        table.on(\.service.conditions, conditions)
    }

    /// The socket listens.
    func isRunning() {
        state.withLock { $0 = .running }
        hub.publish(.state(.running))
    }

    func status() async throws(ControlError) -> StatusReply {
        // First: what they say of a camera or the disk shows in what is read after them.
        let conditions = conditionList.now
        let cameras = try await cameras.list().cameras.filter(isNotable)
        let captures = try await captures.statistics()
        // A photo that is counted above is counted in its session, too.
        let session = try await sessions.running()
        let destinations = try await destinations.list().destinations
        return StatusReply(
            version: ProductVersion.current, state: state.withLock { $0 }, startedAt: startedAt,
            cameras: cameras, session: session, captures: captures, disk: storage.disk(),
            uploads: uploadStatistics.now, destinations: destinations, conditions: conditions)
    }

    /// The statistics for event streams.
    func statistics(_ captures: CaptureStatisticsReply) -> EventReply.Body {
        .statistics(captures, storage.disk(), uploadStatistics.now)
    }

    func conditions() async throws(ControlError) -> ConditionsReply {
        ConditionsReply(conditions: conditionList.now)
    }

    /// Whether a camera belongs into the view at a glance: not one that is only remembered.
    private func isNotable(_ camera: CameraReply) -> Bool {
        camera.state != .gone || (!camera.isIgnored && camera.lastSeenAt ?? .distantPast > startedAt)
    }
}
