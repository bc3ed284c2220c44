import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Makers
import Store
import Synchronization
import USBHotplug
import UploadEngine
import WorkerProtocol

/// What the socket may ask of the service.
final class DaemonControl: ControlSurface {
    private let inForce: Mutex<Configuration>
    let settings: CaptureSettings
    let ledger: LedgerStore
    let registry: CameraRegistry
    let health: HealthBoard
    let engine: CaptureEngine
    let uploads: UploadService
    let standings = DestinationStandings()
    let hooks: HookFeed
    let fleet: CameraFleet
    let knowledge: KnowledgeBase
    let search: CameraSearch
    let bus: USBBus?
    let hub: EventHub
    let startedAt = Date()
    private let state = Mutex(StatusReply.State.starting)
    let uploadStatistics = Mutex(UploadStatisticsReply())
    private let lastSaved = Mutex<[CameraID: CaptureRecord]>([:])

    init(
        configuration: Configuration, settings: CaptureSettings, ledger: LedgerStore,
        registry: CameraRegistry,
        health: HealthBoard, engine: CaptureEngine, uploads: UploadService, hooks: HookFeed,
        fleet: CameraFleet,
        knowledge: KnowledgeBase,
        guid: ServiceGUID, bus: USBBus?, hub: EventHub
    ) {
        inForce = Mutex(configuration)
        self.settings = settings
        self.ledger = ledger
        self.registry = registry
        self.health = health
        self.engine = engine
        self.uploads = uploads
        self.hooks = hooks
        self.fleet = fleet
        self.knowledge = knowledge
        search = CameraSearch(guid: guid)
        self.bus = bus
        self.hub = hub
    }

    /// The configuration in force.
    var configuration: Configuration { inForce.withLock { $0 } }

    /// Another configuration is in force.
    func use(_ configuration: Configuration) { inForce.withLock { $0 = configuration } }

    /// The socket listens.
    func isRunning() {
        state.withLock { $0 = .running }
        hub.publish(.state(.running))
    }

    private var conditionReplies: [ConditionReply] {
        health.current.map { ConditionReply($0, cameraName: cameraName) }
    }

    /// What people call a camera; its id when it is not known any more.
    func cameraName(_ id: CameraID) -> String { registry.camera(id)?.name ?? id.rawValue }

    /// The newest photo of a camera.
    func remember(saved record: CaptureRecord) {
        let camera = engine.naming.camera(record.bodyID).id
        lastSaved.withLock { if $0[camera]?.id ?? 0 <= record.id { $0[camera] = record } }
    }

    /// The newest photo of a camera that is on disk.
    func newest(camera: CameraID) -> CaptureRecord? { lastSaved.withLock { $0[camera] } }

    func status() async throws(ControlError) -> StatusReply {
        // First: what they say of a camera or the disk shows in what is read after them.
        let conditions = conditionReplies
        let cameras = try await cameras().cameras.filter(isNotable)
        let captures = try await statistics()
        // A photo that is counted above is counted in its session, too.
        let session = try await runningSession()
        let destinations = try await destinations().destinations
        return StatusReply(
            version: ProductVersion.current, state: state.withLock { $0 }, startedAt: startedAt,
            cameras: cameras,
            session: session, captures: captures, disk: disk(), uploads: uploadStatistics.withLock { $0 },
            destinations: destinations, conditions: conditions)
    }

    /// Whether a camera belongs into the view at a glance: not one that is only remembered.
    private func isNotable(_ camera: CameraReply) -> Bool {
        camera.state != .gone || (!camera.isIgnored && camera.lastSeenAt ?? .distantPast > startedAt)
    }

    func cameras() async throws(ControlError) -> CamerasReply {
        let replies = try await asking { [self] in
            var replies: [CameraReply] = []
            for status in registry.all {
                if lastSaved.withLock({ $0[status.id] }) == nil {
                    let record = try await ledger.lastSaved(camera: status.id)
                    lastSaved.withLock { $0[status.id] = $0[status.id] ?? record }
                }
                replies.append(try await replyWithPending(status, in: ledger))
            }
            return replies
        }
        return CamerasReply(cameras: replies)
    }

    private func replyWithPending(_ status: CameraStatus, in ledger: LedgerStore) async throws -> CameraReply
    {
        var camera = reply(status)
        camera.pending = try await ledger.waiting(camera: status.id)
        return camera
    }

    /// A camera with how many of its photos wait, as far as the ledger can tell now.
    func replyWithPending(_ status: CameraStatus) async -> CameraReply {
        (try? await replyWithPending(status, in: ledger)) ?? reply(status)
    }

    func camera(_ reference: CameraReference) async throws(ControlError) -> CameraReply {
        let id = try known(reference).id
        guard let camera = try await cameras().cameras.first(where: { $0.id == id }) else {
            throw unknownCamera(reference)
        }
        return camera
    }

    func conditions() async throws(ControlError) -> ConditionsReply {
        ConditionsReply(conditions: conditionReplies)
    }

    // MARK: parts

    func disk() -> DiskReply {
        let disk = engine.disk
        return DiskReply(
            directory: settings.directory, freeBytes: Int64(clamping: disk.freeBytes),
            minFreeBytes: Int64(clamping: disk.minFreeBytes),
            totalBytes: (try? DiskSpace.of(settings.directory)).map { Int64(clamping: $0.totalBytes) },
            guard: .init(disk.level))
    }

    func unknownCamera(_ reference: CameraReference) -> ControlError {
        let names = registry.all.map(\.name).joined(separator: ", ")
        return ControlError(
            .notFound, "there is no camera '\(reference)'",
            nextStep: names.isEmpty
                ? "Plug one in, or follow 'framefast connect'." : "Known cameras: \(names).")
    }

    /// Asks the ledger; what goes wrong there is the service's fault, not the caller's.
    func asking<Value: Sendable>(_ body: @Sendable () async throws -> Value)
        async throws(ControlError) -> Value
    {
        do { return try await body() } catch {
            throw ControlError(
                .internal, "cannot read the ledger: \(error)", nextStep: "Check the service's log.")
        }
    }
}
