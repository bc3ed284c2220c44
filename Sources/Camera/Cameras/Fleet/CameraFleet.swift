import Foundation
import FrameFastModel
public import FrameFastSystem
public import Logging
public import Makers
public import ServiceLifecycle
public import USBHotplug

/// The fleet of all cameras in use: configured cameras, plugged-in cameras, and network cameras that a user
/// added. Each camera that should be connected has a supervisor.
public actor CameraFleet: Service {
    enum Signal: Sendable {
        case usb(USBChange)
        case check(CameraID)
    }

    var options: Options
    let storage: RosterStorage
    let knowledge: KnowledgeBase
    private let workers: WorkerStart
    private let owner: any ConnectionOwner
    let registry: CameraRegistry
    private let conditionBoard: ConditionBoard
    let status: FleetStatus
    let logger: Logger
    let bus: USBBus?
    let clock: HostClock
    private let signals: AsyncStream<Signal>
    private let signal: AsyncStream<Signal>.Continuation

    var members: [CameraID: CameraMember] = [:]
    var roster = Roster()

    /// Creates a fleet. The cameras are added when the fleet runs.
    ///
    /// - Parameters:
    ///   - bus: The computer's USB, or `nil` if the computer has no USB.
    ///   - clock: The clock of the cameras' connections and absences.
    public init(
        options: Options, storage: RosterStorage, knowledge: KnowledgeBase, workers: WorkerStart,
        bus: USBBus?,
        owner: any ConnectionOwner, registry: CameraRegistry, conditionBoard: ConditionBoard, logger: Logger,
        clock: HostClock = .system
    ) {
        self.options = options
        self.storage = storage
        self.knowledge = knowledge
        self.workers = workers
        self.bus = bus
        self.owner = owner
        self.registry = registry
        self.conditionBoard = conditionBoard
        status = FleetStatus(registry: registry, conditionBoard: conditionBoard, knowledge: knowledge)
        self.logger = logger
        self.clock = clock
        // The stream needs no buffer limit. Each device on the bus and each socket client has at most one
        // pending signal.
        (signals, signal) = AsyncStream.makeStream()
    }

    /// Runs until the service stops. Returns after all workers have ended.
    public func run() async throws {
        try await loadRoster()
        await withDiscardingTaskGroup { group in
            let bus = bus
            if let bus {
                group.addTask { [signal] in
                    for await change in bus.changes { signal.yield(.usb(change)) }
                }
            }
            group.addTask { [clock] in
                await cancelWhenGracefulShutdown { [weak self] in
                    while (try? await clock.sleep(for: Absence.checkInterval)) != nil {
                        await self?.clearExpiredAbsences(at: clock.now())
                    }
                }
            }
            await withGracefulShutdownHandler {
                for await signal in signals {
                    let id: CameraID?
                    switch signal {
                    case .usb(.arrived(let device)): id = handleArrival(of: device)
                    case .usb(.left(let device)): id = handleDeparture(of: device)
                    case .check(let camera): id = camera
                    }
                    guard let id, let supervisor = startSupervisor(for: id) else { continue }
                    group.addTask { [weak self] in
                        await supervisor.run()
                        await self?.handleSupervisorEnd(of: id)
                    }
                }
            } onGracefulShutdown: { [signal] in
                signal.finish()
                bus?.close()
            }
        }
    }

    /// Requests a check of whether a camera needs a supervisor.
    func requestCheck(of id: CameraID) { signal.yield(.check(id)) }

    /// Adds the cameras in the configuration and in the roster.
    func loadRoster() async throws {
        let remembered = try await storage.load()
        roster.load(remembered)
        for camera in options.configured { addMember(CameraMember(camera: camera, origin: .configured)) }
        for record in roster.all where members[record.id] == nil {
            var camera = record.port.hasPrefix("ptpip:") ? options.kept : options.newcomer ?? options.kept
            camera.id = record.id
            camera.name = record.name
            camera.port = record.port
            addMember(CameraMember(camera: camera, origin: record.isKept ? .kept : .plugged))
        }
        let present = (bus?.present ?? []).filter {
            knowledge.classify(DeviceDescriptors($0), allowing: options.allowances).action != .ignore
        }
        for (id, member) in members {
            if member.camera.isNetwork, member.origin != .plugged {
                requestCheck(of: id)
            } else if member.origin == .configured, let address = USBAddress(member.camera.port),
                !present.contains(where: { address.matches($0) })
            {
                showDisconnected(id)
            }
        }
    }

    /// Adds a camera, with its state from the roster.
    func addMember(_ member: CameraMember) {
        var member = member
        let record = roster[member.camera.id]
        member.isIgnored = record?.isIgnored ?? false
        members[member.camera.id] = member
        status.showAdded(member, record)
    }

    // MARK: USB

    /// Handles a device that was plugged in.
    ///
    /// - Returns: The camera to check, or `nil` if the device is not used.
    func handleArrival(of device: USBDevice) -> CameraID? {
        guard let bus, !members.contains(where: { $0.value.attachment?.device == device }) else { return nil }
        let classification = knowledge.classify(DeviceDescriptors(device), allowing: options.allowances)
        guard classification.action != .ignore else { return nil }
        guard let id = claim(device, classification) else {
            logger.info("camera ignored", metadata: ["device": "\(device.portPath)"])
            return nil
        }
        logger.info(
            "camera connected by USB",
            metadata: [
                "camera": "\(members[id]?.camera.name ?? "")", "port": "\(device.portPath)",
                "mode": "\(classification.mode.rawValue)",
            ])
        members[id]?.attachment = USBAttachment(device: device, classification: classification, bus: bus)
        members[id]?.leftAt = nil
        members[id]?.camera.port = device.driverPort
        show(id, classification)
        return id
    }

    /// Handles a device that was unplugged.
    ///
    /// - Returns: The camera, or `nil` if the device is not a camera of the fleet.
    func handleDeparture(of device: USBDevice) -> CameraID? {
        guard let (id, member) = members.first(where: { $0.value.attachment?.device == device }) else {
            return nil
        }
        logger.info(
            "camera unplugged", metadata: ["camera": "\(member.camera.name)", "port": "\(device.portPath)"])
        members[id]?.attachment = nil
        members[id]?.leftAt = clock.now()
        status.clearDeparted(id)
        if let supervisor = member.supervisor {
            supervisor.stop(.unplugged)
        } else {
            showDisconnected(id)
        }
        return id
    }

    /// Returns the id of the member for a device. Adds a member for a camera that is not in the
    /// configuration. Returns `nil` if the device is not used.
    private func claim(_ device: USBDevice, _ classification: DeviceClassification) -> CameraID? {
        let plugged = Set(members.filter { $0.value.attachment != nil }.keys)
        switch USBClaim(
            device, classification.maker, options: options, known: Set(members.keys), plugged: plugged)
        {
        case nil: return nil
        case .configured(let id): return id
        case .plugged(var camera):
            let id = camera.id
            if members[id] == nil {
                camera.name =
                    roster[id]?.name
                    ?? freeName(classification.model ?? classification.maker?.name ?? "camera")
                members[id] = CameraMember(camera: camera, origin: .plugged)
            }
            members[id]?.isForgotten = false
            members[id]?.isIgnored = roster[id]?.isIgnored ?? false
            return id
        }
    }

    // MARK: Status

    func show(_ id: CameraID, _ classification: DeviceClassification) {
        if let member = members[id] { status.showPlugged(member, classification) }
    }

    /// Shows a camera as disconnected.
    func showDisconnected(_ id: CameraID) {
        guard let member = members[id], member.attachment == nil || member.isIgnored else { return }
        guard member.origin != .plugged || roster[id] != nil else {
            // A camera that has never connected has no record.
            members[id] = nil
            status.remove(id)
            return
        }
        status.showDisconnected(member, roster[id], at: clock.now())
    }

    /// Clears the conditions of cameras whose absence has expired.
    private func clearExpiredAbsences(at now: Date) {
        for (id, member) in members
        where member.leftAt != nil && !Absence(of: member).deservesAttention(at: now) {
            members[id]?.leftAt = nil
            status.clearAbsence(of: id)
        }
    }

    // MARK: Supervisors

    /// Removes a camera, immediately or after its supervisor has ended.
    func removeMember(_ member: CameraMember) {
        let id = member.camera.id
        status.remove(id)
        if let supervisor = member.supervisor {
            members[id]?.isForgotten = true
            supervisor.stop(.unwanted)
        } else {
            members[id] = nil
        }
    }

    /// Creates a supervisor for a camera that should be connected and has no supervisor.
    private func startSupervisor(for id: CameraID) -> CameraSupervisor? {
        guard let member = members[id], member.isWanted, member.supervisor == nil else { return nil }
        let supervisor = CameraSupervisor(
            camera: member.camera, attachment: member.attachment, knowledge: knowledge, workers: workers,
            owner: owner,
            registry: registry,
            conditionBoard: conditionBoard, logger: logger, clock: clock
        ) { [weak self] facts in await self?.recordConnection(of: id, facts) }
        members[id]?.supervisor = supervisor
        return supervisor
    }

    /// Handles the end of a supervisor. Removes a forgotten camera, connects a camera that has already
    /// returned, and shows any other camera as disconnected.
    private func handleSupervisorEnd(of id: CameraID) {
        members[id]?.supervisor = nil
        guard let member = members[id] else { return }
        if member.isForgotten {
            status.clearConditions(of: id)
            members[id] = nil
            status.remove(id)
            // Another table of the configuration may match this camera now.
            if let attachment = member.attachment, let other = handleArrival(of: attachment.device) {
                requestCheck(of: other)
            }
        } else if member.isWanted {
            requestCheck(of: id)
        } else {
            // The last conditions of the connection do not apply after the camera was disconnected.
            if member.isIgnored { status.clearConditions(of: id) } else { status.clearDeparted(id) }
            showDisconnected(id)
        }
    }
}
