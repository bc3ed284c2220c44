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
        /// How many cameras may read on one bus of the USB at a time, 1 or more.
        public var readsOnEachBus: Int

        /// Creates options.
        public init(
            configured: [ConfiguredCamera], newcomer: ConfiguredCamera?, kept: ConfiguredCamera,
            allowances: DeviceAllowances, readsOnEachBus: Int
        ) {
            self.configured = configured
            self.newcomer = newcomer
            self.kept = kept
            self.allowances = allowances
            self.readsOnEachBus = readsOnEachBus
        }
    }

    enum Signal: Sendable {
        case usb(USBChange)
        case look(CameraID)
    }

    var options: Options
    let storage: RosterStorage
    let knowledge: KnowledgeBase
    private let workers: WorkerStart
    let reads: USBReadGate
    private let arrivals = ArrivalWaves()
    private let owner: any SessionOwner
    let registry: CameraRegistry
    private let health: HealthBoard
    let status: FleetStatus
    let logger: Logger
    let bus: USBBus?
    private let signals: AsyncStream<Signal>
    private let signal: AsyncStream<Signal>.Continuation

    var members: [CameraID: CameraMember] = [:]
    var roster = Roster()

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
        reads = USBReadGate(onEachBus: options.readsOnEachBus)
        self.bus = bus
        self.owner = owner
        self.registry = registry
        self.health = health
        status = FleetStatus(registry: registry, health: health, knowledge: knowledge)
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

    /// Takes in what is configured and what is remembered.
    func loadRoster() async throws {
        let remembered = try await storage.load()
        roster.load(remembered)
        for camera in options.configured { take(CameraMember(camera: camera, origin: .configured)) }
        for record in roster.all where members[record.id] == nil {
            var camera = record.port.hasPrefix("ptpip:") ? options.kept : options.newcomer ?? options.kept
            camera.id = record.id
            camera.name = record.name
            camera.port = record.port
            take(CameraMember(camera: camera, origin: record.isKept ? .kept : .plugged))
        }
        let present = (bus?.present ?? []).filter {
            knowledge.judge(DeviceDescriptors($0), allowing: options.allowances).action != .ignore
        }
        for (id, member) in members {
            if member.camera.isNetwork, member.origin != .plugged {
                look(at: id)
            } else if member.origin == .configured, let address = USBAddress(member.camera.port),
                !present.contains(where: { address.matches($0) })
            {
                showAway(id)
            }
        }
    }

    /// Takes a camera in, as the roster remembers it.
    func take(_ member: CameraMember) {
        var member = member
        let record = roster[member.camera.id]
        member.isIgnored = record?.isIgnored ?? false
        members[member.camera.id] = member
        status.entered(member, record)
    }

    // MARK: on the USB

    /// A device was plugged in.
    ///
    /// - Returns: the camera that is to be looked at.
    func arrived(_ device: USBDevice) -> CameraID? {
        guard let bus, !members.contains(where: { $0.value.place?.device == device }) else { return nil }
        let verdict = knowledge.judge(DeviceDescriptors(device), allowing: options.allowances)
        guard verdict.action != .ignore else { return nil }
        guard let id = claim(device, verdict) else {
            logger.info("a camera is left alone", metadata: ["device": "\(device.portPath)"])
            return nil
        }
        logger.info(
            "camera on the USB",
            metadata: [
                "camera": "\(members[id]?.camera.name ?? "")", "port": "\(device.portPath)",
                "mode": "\(verdict.mode.rawValue)",
            ])
        members[id]?.place = USBPlace(device: device, verdict: verdict, bus: bus)
        members[id]?.leftAt = nil
        members[id]?.camera.port = device.driverPort
        show(id, verdict)
        return id
    }

    /// A device was unplugged.
    ///
    /// - Returns: the camera that it was.
    func left(_ device: USBDevice) -> CameraID? {
        guard let (id, member) = members.first(where: { $0.value.place?.device == device }) else {
            return nil
        }
        logger.info(
            "camera unplugged", metadata: ["camera": "\(member.camera.name)", "port": "\(device.portPath)"])
        members[id]?.place = nil
        members[id]?.leftAt = Date()
        status.left(id)
        if let supervisor = member.supervisor {
            supervisor.leave(.unplugged)
        } else {
            showAway(id)
        }
        return id
    }

    /// The member that a device is; a new one where nobody named it. `nil` when it is not to be used.
    private func claim(_ device: USBDevice, _ verdict: Verdict) -> CameraID? {
        let plugged = Set(members.filter { $0.value.place != nil }.keys)
        switch USBClaim(
            device, verdict.maker, options: options, known: Set(members.keys), plugged: plugged)
        {
        case nil: return nil
        case .configured(let id): return id
        case .plugged(var camera):
            let id = camera.id
            if members[id] == nil {
                camera.name =
                    roster[id]?.name ?? freeName(verdict.model ?? verdict.maker?.name ?? "camera")
                members[id] = CameraMember(camera: camera, origin: .plugged)
            }
            members[id]?.isForgotten = false
            members[id]?.isIgnored = roster[id]?.isIgnored ?? false
            return id
        }
    }

    // MARK: what is shown

    func show(_ id: CameraID, _ verdict: Verdict) {
        if let member = members[id] { status.plugged(member, verdict) }
    }

    /// Shows a camera that is not there.
    func showAway(_ id: CameraID) {
        guard let member = members[id], member.place == nil || member.isIgnored else { return }
        guard member.origin != .plugged || roster[id] != nil else {
            // It was never connected: nothing to remember.
            members[id] = nil
            status.removed(id)
            return
        }
        status.away(member, roster[id])
    }

    /// Says no more of cameras that have been away for a while and that nobody waits for.
    private func settleAbsences(at now: Date) {
        for (id, member) in members
        where member.leftAt != nil && !Absence(of: member).deservesAttention(at: now) {
            members[id]?.leftAt = nil
            status.isMissedNoLonger(id)
        }
    }

    // MARK: supervisors

    /// A camera goes: at once, or when its supervisor has ended.
    func letGo(_ member: CameraMember) {
        let id = member.camera.id
        status.removed(id)
        if let supervisor = member.supervisor {
            members[id]?.isForgotten = true
            supervisor.leave(.unwanted)
        } else {
            members[id] = nil
        }
    }

    /// A supervisor for a camera that is wanted and has none.
    private func begin(_ id: CameraID) -> CameraSupervisor? {
        guard let member = members[id], member.isWanted, member.supervisor == nil else { return nil }
        let supervisor = CameraSupervisor(
            camera: member.camera, place: member.place, knowledge: knowledge, workers: workers,
            reads: reads, arrivals: arrivals, owner: owner, registry: registry, health: health, logger: logger
        ) { [weak self] facts in await self?.met(id, facts) }
        members[id]?.supervisor = supervisor
        return supervisor
    }

    /// A supervisor has ended: the camera left, or is not wanted any more, or has come back meanwhile.
    private func ended(_ id: CameraID) {
        members[id]?.supervisor = nil
        guard let member = members[id] else { return }
        if member.isForgotten {
            status.forgetConditions(id)
            members[id] = nil
            status.removed(id)
            // Another table of the configuration may be for this body now.
            if let place = member.place, let other = arrived(place.device) { look(at: other) }
        } else if member.isWanted {
            look(at: id)
        } else {
            // What its last session said at its end is not news of a camera that is gone.
            if member.isIgnored { status.forgetConditions(id) } else { status.left(id) }
            showAway(id)
        }
    }
}
