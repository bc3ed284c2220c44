import CaptureEngine
import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import UploadEngine

/// The environment of the service: cameras, disk, servers and time. The environment outlives each run of the
/// service.
final class SimulatedEnvironment: Sendable {
    let plan: SimulationPlan
    let executor: SimulationExecutor
    let trace: SimulationTrace
    let disk: SimulatedDisk
    let cameras: [SimulatedCamera]
    let servers: [SimulatedServer]
    /// The settings of intake and publisher.
    let captureSettings: CaptureSettings
    let hooks: SimulatedHooks
    /// The rule that saved photos are not repeatedly read.
    let reads: ReadRule
    /// The rule that saved photos are deleted on the camera.
    let deletions: DeletionRule
    /// The violations of the rules that are checked while the service runs.
    let violations = ViolationLog()
    private let services = Mutex<[WeakService]>([])
    /// The fault of the next start that repairs an interrupted photo.
    private let repairFault = Mutex<SimulationPlan.RepairFault?>(nil)

    /// A run of the service. Each part of the service holds it.
    private final class ServiceLifetime: Sendable {}

    private struct WeakService: Sendable {
        weak let lifetime: ServiceLifetime?
    }

    /// Creates an environment with an empty disk.
    ///
    /// - Parameter root: The folder of the disk.
    init(_ plan: SimulationPlan, root: String, executor: SimulationExecutor, trace: SimulationTrace) throws {
        (self.plan, self.executor, self.trace) = (plan, executor, trace)
        disk = try SimulatedDisk(root: root, trace: trace, power: plan.power)
        hooks = SimulatedHooks(
            retries: plan.hookRetries, disk: disk, executor: executor, trace: trace, violations: violations)
        let traits = SimulatedCamera.Traits(
            reusesNames: plan.reusesNames, takesPairs: plan.features.takesPairs,
            usesTwoCards: plan.features.usesTwoCards, hashesLate: plan.features.hashesLate,
            listsInPortions: plan.features.listsInPortions)
        cameras = (1...plan.cameras).map { number in
            SimulatedCamera(
                id: CameraID(rawValue: "camera-\(number)"), serial: plan.sharedSerial ?? "\(number)",
                time: plan.cameraTime, traits: traits)
        }
        servers = plan.servers.indices.map { index in
            SimulatedServer(name: DestinationName(rawValue: "server-\(index + 1)"))
        }
        captureSettings = CaptureSettings(
            directory: disk.photos, template: try NamingTemplate(plan.template), minFreeBytes: 0,
            pairSettleSeconds: 0, existing: .fetch, folderRecordPath: root + "/record/capture-folder",
            verify: plan.verify)
        reads = ReadRule(plan, cameras)
        deletions = DeletionRule(plan, cameras, disk)
        for (path, bytes) in Self.foreignFiles { try disk.addForeign(path, bytes) }
    }

    /// The size of an unreadable photo, in bytes.
    private static let photoBytes = 64

    /// Files of another program, with names that the templates also produce.
    private static let foreignFiles: [(String, Data)] = [
        ("camera-1-1.jpg", Data("another program's photo".utf8)),
        ("photo.jpg", Data("another program's first photo".utf8)),
        ("camera-1/00002.jpg", Data("another program's second photo".utf8)),
        ("notes.txt", Data("another program's notes".utf8)),
    ]

    /// The path of the ledger in this run.
    var ledgerPath: String { disk.stateFolder + "/ledger.sqlite" }

    /// Returns the clock of a new run of the service. All parts and tasks of this run hold the clock. While
    /// one of them exists, ``liveServices`` counts the run.
    func makeServiceClock() -> HostClock {
        let lifetime = ServiceLifetime()
        services.withLock { $0.append(WeakService(lifetime: lifetime)) }
        var clock = executor.clock
        clock.now = { [now = clock.now] in withExtendedLifetime(lifetime) { now() } }
        return clock
    }

    /// The number of runs of the service that have parts or tasks.
    var liveServices: Int { services.withLock { $0.count { $0.lifetime != nil } } }

    /// The settings of the upload service in this run.
    var uploadSettings: UploadSettings {
        UploadSettings(
            policy: UploadModePolicy(defaultMode: plan.mode, schedule: plan.features.schedule),
            keep: plan.keep,
            stateDirectory: disk.stateFolder, reserveBytes: 0)
    }

    /// The destinations in this run.
    var targets: [UploadTarget] {
        zip(servers, plan.servers).map { server, workers in
            UploadTarget(
                name: server.name,
                destination: SimulatedDestination(
                    server: server, disk: disk, trace: trace, executor: executor,
                    load: OutageLoadRule(server.name, workers: workers, violations),
                    deliveries: DeliveryRule(server.name, violations)),
                place: server.name.rawValue, workers: workers,
                order: plan.isNewestFirst ? .newestFirst : .capture
            ) { photo in
                "\(photo.camera.name)/\(photo.record.object.name)"
            }
        }
    }

    /// The time of a photo that is taken now, in seconds since 1970, or `nil` if the clocks of the cameras do
    /// not show the computer's time.
    var photoTime: Int64? {
        plan.features.hasSessions ? Int64(SimulationExecutor.startDate + executor.uptime) : nil
    }

    /// All photos that the cameras took, by SHA-256.
    var takenPhotos: [String: (camera: SimulatedCamera, shot: SimulatedCamera.Shot)] {
        var photos: [String: (camera: SimulatedCamera, shot: SimulatedCamera.Shot)] = [:]
        for camera in cameras {
            for shot in camera.taken { photos[shot.sha256] = (camera, shot) }
        }
        return photos
    }

    /// Adds a fault of the next start that repairs an interrupted photo.
    func add(_ fault: SimulationPlan.RepairFault) { repairFault.withLock { $0 = fault } }

    /// Removes and returns the fault for this start, or returns `nil` for a start without a fault.
    func removeRepairFault() -> SimulationPlan.RepairFault? {
        repairFault.withLock { fault in
            defer { fault = nil }
            return fault
        }
    }

    /// Repairs everything except one part, and breaks this part.
    func repair(except broken: SimulationPlan.Broken) {
        executor.clearAlarm()
        disk.repair()
        for camera in cameras { camera.repair() }
        for server in servers { server.repair() }
        switch broken {
        case .nothing: break
        case .camera(let index): cameras[index].setPlugged(false)
        case .server(let index): servers[index].setAway(true, at: executor.uptime)
        case .photo(let index): cameras[index].shootUnreadable(size: Self.photoBytes, at: photoTime)
        }
    }
}
