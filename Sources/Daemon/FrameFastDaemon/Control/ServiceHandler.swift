import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Synchronization

/// The endpoints that return the version, the status and the conditions of the service.
final class ServiceHandler: EndpointHandler {
    private let cameras: CameraHandler
    private let captures: CaptureHandler
    let sessions: SessionHandler
    private let destinations: DestinationHandler
    private let storage: StorageHandler
    private let conditionList: ConditionList
    /// The statistics of all destinations together, from the last report of the upload queue.
    private let uploadStatistics: CurrentValue<UploadStatisticsReply>
    private let hub: EventHub
    private let startedAt: Date
    private let state = Mutex(StatusReply.State.starting)

    init(
        cameras: CameraHandler, captures: CaptureHandler, sessions: SessionHandler,
        destinations: DestinationHandler, storage: StorageHandler, conditions: ConditionList,
        uploadStatistics: CurrentValue<UploadStatisticsReply>, hub: EventHub, clock: HostClock
    ) {
        self.cameras = cameras
        self.captures = captures
        self.sessions = sessions
        self.destinations = destinations
        self.storage = storage
        conditionList = conditions
        self.uploadStatistics = uploadStatistics
        self.hub = hub
        startedAt = clock.now()
    }

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.service.version) { () throws(ControlError) in
            VersionReply(version: ProductVersion.current)
        }
        table.handle(\.service.conditions, with: conditions)
    }

    /// Marks the service as running. The daemon calls this as soon as the socket accepts connections.
    func markRunning() {
        state.withLock { $0 = .running }
        hub.publish(.state(Word(.running)))
    }

    func status() async throws(ControlError) -> StatusReply {
        // Read the conditions first. All other values are then at least as new as the conditions.
        let conditions = conditionList.now
        let cameras = try await cameras.list().cameras.filter(isNotable)
        let captures = try await captures.statistics()
        // Read the session after the captures, so the session includes each counted photo.
        let session = try await sessions.running()
        let destinations = try await destinations.list().destinations
        return StatusReply(
            version: ProductVersion.current, state: state.withLock { $0 }, startedAt: startedAt,
            cameras: cameras, session: session, captures: captures, disk: storage.disk(),
            uploads: uploadStatistics.now, destinations: destinations, conditions: conditions)
    }

    /// Returns the event with the statistics, for event streams.
    func statistics(_ captures: CaptureStatisticsReply) -> EventReply.Body {
        .statistics(captures, storage.disk(), uploadStatistics.now)
    }

    func conditions() async throws(ControlError) -> ConditionsReply {
        ConditionsReply(conditions: conditionList.now)
    }

    /// Returns whether the status lists a camera. A disconnected camera is listed if it was connected since
    /// the start of the service and is not ignored.
    private func isNotable(_ camera: CameraReply) -> Bool {
        camera.state != .gone || (!camera.isIgnored && camera.lastSeenAt ?? .distantPast > startedAt)
    }
}
