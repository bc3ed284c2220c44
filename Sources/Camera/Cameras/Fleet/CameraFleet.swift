import Foundation
import FrameFastModel
public import Logging
public import Makers
public import ServiceLifecycle
public import USBHotplug

/// Every camera that is used: those that the configuration names, those that are plugged in, those on the network that
/// somebody asked for. Each has a supervisor while it is there.
public actor CameraFleet: Service {
    /// What the fleet is made of.
    public struct Options: Sendable {
        /// Cameras that the configuration names.
        public var configured: [ConfiguredCamera]
        /// Settings of a camera that is plugged in and that nobody named; `nil` when those are not used.
        public var newcomer: ConfiguredCamera?
        /// Settings of a camera on the network that is asked for over the socket.
        public var kept: ConfiguredCamera
        /// What may be used beyond the ordinary.
        public var allowances: DeviceAllowances

        /// Creates options.
        public init(
            configured: [ConfiguredCamera], newcomer: ConfiguredCamera?, kept: ConfiguredCamera,
            allowances: DeviceAllowances
        ) {
            self.configured = configured
            self.newcomer = newcomer
            self.kept = kept
            self.allowances = allowances
        }
    }

    enum Signal: Sendable {
        case usb(USBChange)
        case look(CameraID)
    }

    var options: Options
    let storage: RosterStorage
    let knowledge: KnowledgeBase
    let workers: WorkerStart
    let owner: any SessionOwner
    let registry: CameraRegistry
    let health: HealthBoard
    let logger: Logger
    let bus: USBBus?
    private let signals: AsyncStream<Signal>
    private let signal: AsyncStream<Signal>.Continuation

    var members: [CameraID: CameraMember] = [:]
    var roster: [CameraID: RosterRecord] = [:]
    /// Names that are being written down now: two cameras that are met at once must not both take one.
    var promisedNames: Set<String> = []

    /// Creates a fleet. Cameras come in when it runs.
    ///
    /// - Parameter bus: The computer's USB; `nil` where there is none.
    public init(
        options: Options, storage: RosterStorage, knowledge: KnowledgeBase, workers: WorkerStart,
        bus: USBBus?,
        owner: any SessionOwner, registry: CameraRegistry, health: HealthBoard, logger: Logger
    ) {
        self.options = options
        self.storage = storage
        self.knowledge = knowledge
        self.workers = workers
        self.bus = bus
        self.owner = owner
        self.registry = registry
        self.health = health
        self.logger = logger
        // Bounded by what is on the bus and by what the socket's clients ask for one at a time.
        (signals, signal) = AsyncStream.makeStream()
    }

    /// Runs until the service stops; every camera's worker has ended then.
    public func run() async throws {
        try await loadRoster()
        await withDiscardingTaskGroup { group in
            let bus = bus
            if let bus {
                group.addTask { [signal] in
                    for await change in bus.changes { signal.yield(.usb(change)) }
                }
            }
            group.addTask {
                await cancelWhenGracefulShutdown { [weak self] in
                    while (try? await Task.sleep(for: Absence.lookInterval)) != nil {
                        await self?.settleAbsences(at: Date())
                    }
                }
            }
            await withGracefulShutdownHandler {
                for await signal in signals {
                    let id: CameraID?
                    switch signal {
                    case .usb(.arrived(let device)): id = arrived(device)
                    case .usb(.left(let device)): id = left(device)
                    case .look(let camera): id = camera
                    }
                    guard let id, let supervisor = begin(id) else { continue }
                    group.addTask { [weak self] in
                        await supervisor.run()
                        await self?.ended(id)
                    }
                }
            } onGracefulShutdown: { [signal] in
                signal.finish()
                bus?.close()
            }
        }
    }

    /// Has a camera looked at again: whether it is wanted, and whether it has a supervisor.
    func look(at id: CameraID) { signal.yield(.look(id)) }

    // MARK: supervisors

    /// A supervisor for a camera that is wanted and has none.
    private func begin(_ id: CameraID) -> CameraSupervisor? {
        guard let member = members[id], member.isWanted, member.supervisor == nil else { return nil }
        let supervisor = CameraSupervisor(
            camera: member.camera, place: member.place, knowledge: knowledge, workers: workers, owner: owner,
            registry: registry,
            health: health, logger: logger
        ) { [weak self] facts in await self?.met(id, facts) }
        members[id]?.supervisor = supervisor
        return supervisor
    }

    /// A supervisor has ended: the camera left, or is not wanted any more, or has come back meanwhile.
    private func ended(_ id: CameraID) {
        members[id]?.supervisor = nil
        guard let member = members[id] else { return }
        if member.isForgotten {
            health.forget(.camera(id))
            members[id] = nil
            registry.remove(id)
            // Another table of the configuration may be for this body now.
            if let place = member.place, let other = arrived(place.device) { look(at: other) }
        } else if member.isWanted {
            look(at: id)
        } else {
            // What its last session said at its end is not news of a camera that is gone.
            if member.isIgnored { health.forget(.camera(id)) } else { health.departed(camera: id) }
            showAway(id)
        }
    }
}
