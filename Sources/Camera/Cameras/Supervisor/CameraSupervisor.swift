import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Makers
import ServiceLifecycle
import USBHotplug
import WorkerProtocol

/// A supervisor that keeps one camera connected: it starts workers, opens connections and performs recovery
/// actions.
actor CameraSupervisor {
    private let id: CameraID
    private var camera: ConfiguredCamera
    /// The camera's USB connection, or `nil` for a network camera.
    private let attachment: USBAttachment?
    private let profiles: [MakerProfile]
    private let workers: WorkerStart
    private let runner: any WorkerRunner
    private let registry: CameraRegistry
    private let obstacles: CameraObstacles
    /// The logger. Its metadata contains the camera's name (see ``rename(to:)``).
    private var logger: Logger
    private let owner: any ConnectionOwner
    private let clock: HostClock
    /// Called when the camera has connected. Returns the camera with its current name, or `nil` if the camera
    /// was removed.
    private let onConnect: @Sendable (CameraFacts) async -> ConfiguredCamera?
    /// The event that ends the supervision.
    private let supervisionEnd = SupervisionEnd()

    private var recovery = CameraRecovery()
    /// The time zone in which the worker of the open connection reads the camera's clock.
    private var openedZone = ZoneOffsets(seconds: 0)

    /// The minimum duration of a stable connection. After a stable connection, the next failure starts at the
    /// first step of the recovery ladder.
    private static let stableConnection: Duration = .seconds(5)

    /// The time limit for an open connection to finish after the service stops or the fleet stops using the
    /// camera.
    private static let stopGrace: Duration = .seconds(4)

    /// Creates a supervisor for one camera.
    ///
    /// - Parameter runner: The runner of the camera's workers, or `nil` to run the installed worker program.
    init(
        camera: ConfiguredCamera, attachment: USBAttachment?, knowledge: KnowledgeBase, workers: WorkerStart,
        owner: any ConnectionOwner,
        registry: CameraRegistry, conditionBoard: ConditionBoard, logger: Logger, clock: HostClock,
        runner: (any WorkerRunner)? = nil,
        onConnect: @escaping @Sendable (CameraFacts) async -> ConfiguredCamera?
    ) {
        id = camera.id
        self.camera = camera
        self.attachment = attachment
        profiles = knowledge.profiles
        self.workers = workers
        self.runner = runner ?? WorkerProcess(start: workers, camera: camera, clock: clock)
        self.owner = owner
        self.registry = registry
        obstacles = CameraObstacles(
            id: camera.id, attachment: attachment, knowledge: knowledge, registry: registry,
            conditionBoard: conditionBoard)
        self.onConnect = onConnect
        self.clock = clock
        var logger = logger
        logger[metadataKey: "camera"] = "\(camera.name)"
        self.logger = logger
    }

    /// Makes ``run()`` return, because the camera was unplugged or FrameFast no longer uses the camera.
    nonisolated func stop(_ reason: SupervisionEnd.Reason) { supervisionEnd.trigger(reason) }

    /// Sets the camera's name for messages and the log. The name changes at the first connection, and when
    /// the user renames the camera.
    func rename(to name: String) {
        camera.name = name
        logger[metadataKey: "camera"] = "\(name)"
    }

    /// Runs until ``stop(_:)`` is called or the service stops.
    func run() async {
        while !isStopping {
            recovery.next = .reopen
            if obstacles.isAllowed(camera) {
                do {
                    let end = try await runner.run { link in await self.serve(link) }
                    handleWorkerEnd(end, lastObject: runner.lastObjectHandle())
                } catch {
                    handleStartFailure(error)
                }
                registry.setConnection(nil, of: id)
            } else {
                recovery.next = recovery.recordFailure(workerIsAlive: false)
            }
            guard !isStopping else { break }
            await pause()
        }
        registry.update(id, state: .searching)
    }

    private var isStopping: Bool {
        Task.isCancelled || Task.isShuttingDownGracefully || supervisionEnd.reason != nil
    }

    /// Performs the recovery action between two workers. The pause ends early if ``stop(_:)`` is called or
    /// the service stops.
    private func pause() async {
        let pause: Duration
        switch recovery.next {
        case .reopen: return
        case .freshWorker(let after): pause = after
        case .resetPort(let after):
            pause = after
            await attachment?.resetPort(logger)
        }
        await self.wait(for: pause)
    }

    /// Waits for a duration, or without a limit if `time` is `nil`. Returns early if ``stop(_:)`` is called
    /// or the service stops.
    private func wait(for time: Duration?) async {
        await cancelWhenGracefulShutdown { [supervisionEnd, clock] in
            await withTaskGroup { group in
                if let time { group.addTask { try? await clock.sleep(for: time) } }
                group.addTask { await supervisionEnd.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    // MARK: Workers

    /// Handles the end of a worker. If an object may have caused the end, records the object as a suspect.
    private func handleWorkerEnd(_ end: WorkerProcess.End, lastObject: UInt32?) {
        if case .hung(let call) = end {
            logger.warning("killed a hung worker", metadata: ["call": "\(call)"])
        } else {
            logger.info("worker ended", metadata: ["how": "\(end)"])
        }
        if case .crashed(_, let worker) = end { recovery.recordCrash(of: worker) }
        if !isStopping {
            registry.countWorkerEnd(end)
            recovery.recordWorkerEnd()
        }
        guard end.blamesObject, let lastObject, recovery.recordDeath(over: lastObject) else { return }
        logger.error(
            "object skipped after a driver crash",
            metadata: ["handle": "\(lastObject.asHandle)", "why": "\(end)"])
        obstacles.reportQuarantine(recovery.quarantined.count, last: lastObject, camera)
    }

    /// Handles a worker that could not be started.
    private func handleStartFailure(_ error: any Error) {
        logger.error("cannot start the camera worker", metadata: ["reason": "\(error)"])
        recovery.next = .freshWorker(after: RecoveryLadder.pauses.maximum)
        obstacles.reportStartFailure(error, camera, workers.settings)
    }

    /// Serves connections over one worker until the worker must be replaced.
    private func serve(_ link: WorkerLink) async {
        obstacles.reportStart()
        link.setStatusHandler { [registry, id] in registry.apply($0, to: id) }
        await withTaskGroup { group in
            let hub = ConnectionNotices()
            group.addTask { await self.forwardEvents(link, hub) }
            group.addTask { await self.endWhenStopping(link) }
            group.addTask { await self.endWhenLeaving(link) }
            while !isStopping && link.isAlive {
                let action = await serveOnce(link, hub)
                guard action == .reopen else {
                    recovery.next = action
                    break
                }
            }
            hub.finish()
            link.stopNotices()
            group.cancelAll()
        }
    }

    /// Ends the worker when the service stops. A worker without an open connection ends immediately, because
    /// no data can be lost. A worker with an open connection has ``stopGrace`` to finish, even if its driver
    /// waits for the camera.
    private func endWhenStopping(_ link: WorkerLink) async {
        do {
            try await gracefulShutdown()
            if registry.connection(of: id) != nil { try await clock.sleep(for: Self.stopGrace) }
        } catch { return }
        link.disconnect(WorkerLink.disconnection("the service is stopping"))
    }

    /// Ends the worker when the supervision ends. The worker of an unplugged camera ends immediately. If
    /// photos may remain in that camera, the worker first has time to report their number. If the fleet stops
    /// using the camera, the worker first restores the camera's settings.
    private func endWhenLeaving(_ link: WorkerLink) async {
        await supervisionEnd.wait()
        switch supervisionEnd.reason {
        case nil: return
        case .unplugged:
            // Only the worker can report how many photos remain in a memory that can't be listed.
            guard let facts = registry.camera(id)?.facts, facts.leavesPhotosBehind else { break }
            do { try await clock.sleep(for: SupervisionEnd.finalReportTime) } catch { return }
        case .unwanted:
            // The worker restores the camera's settings and exits, which closes the link.
            try? link.send(.close)
            do { try await clock.sleep(for: Self.stopGrace) } catch { return }
        }
        link.disconnect(WorkerLink.disconnection("the camera was disconnected"))
    }

    /// Opens a connection and passes it to the owner.
    private func serveOnce(_ link: WorkerLink, _ hub: ConnectionNotices) async -> RecoveryLadder.Action {
        // An obstacle stays visible until it is resolved, even during repeated attempts.
        registry.change(id) { status in
            if status.guidance == nil { status.state = recovery.wasConnected ? .reconnecting : .connecting }
        }
        do throws(WorkerFailure) {
            openedZone = ZoneOffsets(camera.zone, from: clock.now())
            let request = OpenRequest(
                port: camera.driverPort, quarantinedHandles: recovery.quarantined,
                crashedWorkers: recovery.crashedWorkers, zone: openedZone,
                captureTarget: camera.captureTarget, shutterWait: camera.shutterWait, profiles: profiles)
            guard case .opened(let facts) = try await link.request({ .open(id: $0, request) }) else {
                return recordFailure(of: link)
            }
            if let guidance = obstacles.checkMode(facts, logger) {
                // No attempt can succeed before the user changes the mode. After the change, the camera
                // appears as a new device.
                link.disconnect(
                    WorkerLink.disconnection("the camera is in the wrong USB mode: \(guidance.sentence)"))
                await wait(for: nil)
                return .freshWorker(after: .zero)
            }
            let operationBefore = registry.camera(id)?.operation
            let connection = await makeConnection(facts, hub, link)
            let start = clock.uptime()
            let end = await owner.serve(connection)
            let wasStable =
                end != .lost(afterProgress: false) || clock.duration(since: start) > Self.stableConnection
            recovery.recordOperation(
                registry.camera(id)?.operation, before: operationBefore, wasStable: wasStable)
            if case .lost = end { reportShutter(registry.camera(id)) }
            registry.setConnection(nil, of: id)
            logger.info("camera connection ended", metadata: ["why": "\(end)"])
            guard case .lost = end else { return .reopen }
            if wasStable { recovery.recordStableConnection() }
            return recordFailure(of: link)
        } catch {
            guard !isStopping else { return .reopen }
            logger.info(
                "cannot open the camera", metadata: ["reason": "\(error.text)", "code": "\(error.code)"])
            if recovery.hasFailed || !link.isAlive || error.kind == .busy {
                recovery.recordAbsence(at: clock.uptime())
                await obstacles.reportOpenFailure(error, camera)
            }
            return recovery.recordFailure(
                workerIsAlive: link.isAlive, openTimedOut: error.meansMissingResponse)
        }
    }

    private func makeConnection(
        _ facts: CameraFacts, _ hub: ConnectionNotices, _ link: WorkerLink
    ) async -> CameraConnection {
        if let camera = await onConnect(facts) {
            self.camera = camera
            rename(to: camera.name)
        }
        logger.info("connected", metadata: ["model": "\(facts.model)", "serial": "\(facts.serial)"])
        let connection = CameraConnection(
            configured: camera, place: attachment?.device.portPath ?? camera.port, facts: facts,
            notices: hub.startStream(), link: link, parts: workers.settings.parts(of: id),
            hasQuarantinedObjects: !recovery.quarantined.isEmpty)
        recovery.recordConnection()
        registry.setConnection(connection, of: id)
        registry.change(id) { status in
            status.facts = facts
            status.guidance = nil
        }
        obstacles.clearAll()
        obstacles.reportMissingFunctions(facts, camera)
        return connection
    }

    /// Reports a shutter that a lost connection may have left open. After a stop by the service or the fleet,
    /// reports nothing, because the worker closes the shutter before it exits.
    private func reportShutter(_ status: CameraStatus?) {
        guard !Task.isCancelled, !Task.isShuttingDownGracefully, supervisionEnd.reason != .unwanted,
            status?.leavesShutterOpen == true
        else { return }
        obstacles.reportOpenShutter(camera)
    }

    private func recordFailure(of link: WorkerLink) -> RecoveryLadder.Action {
        recovery.recordFailure(workerIsAlive: link.isAlive)
    }

    /// Forwards the notices of a worker to the current connection until the worker ends.
    func forwardEvents(_ link: WorkerLink, _ hub: ConnectionNotices) async {
        while let (event, bytes) = await link.notices.next() {
            if link.notices.takeDrop() { hub.yield(.announcementsDropped) }
            switch event {
            case .hello(let hello) where hello.protocolVersion != WorkerMessage.protocolVersion:
                logger.error("worker and daemon have different versions: install the same version of both")
                link.disconnect(
                    WorkerLink.disconnection("the worker uses protocol version \(hello.protocolVersion)"))
            case .hello(let hello):
                registry.driverVersion = hello.libraryVersion
                logger.debug(
                    "worker started",
                    metadata: ["pid": "\(hello.pid)", "libgphoto2": "\(hello.libraryVersion)"])
            case .lost(let failure): hub.yield(.lost(failure))
            case .objectAdded(let object): hub.yield(.objectAdded(object), bytes: bytes)
            case .listChanged(let reason): hub.yield(.listChanged(reason), bytes: bytes)
            case .progress(_, let soFar): hub.yield(.progress(bytes: soFar), bytes: bytes)
            case .facts(let reportedFacts):
                let now = clock.now()
                let facts = reportedFacts.comparingClock(
                    in: camera.zone.secondsFromGMT(for: now),
                    insteadOf: openedZone.seconds(at: Int64(now.timeIntervalSince1970)))
                registry.update(id, facts: facts)
                hub.yield(.facts(facts), bytes: bytes)
            case .heartbeat, .operation, .opened, .listed, .reconciled, .fetched, .settings, .settingResults,
                .settingsChanged, .clockSet, .frame, .done, .failed:
                break
            }
        }
        if let breach = link.breach {
            logger.warning(
                "killed a worker that violated the protocol: starting a new one",
                metadata: ["why": "\(breach)"])
        }
        hub.yield(.lost(WorkerLink.disconnection("the worker ended")))
        hub.finish()
    }
}
