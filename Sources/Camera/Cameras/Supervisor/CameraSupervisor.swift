import Foundation
import FrameFastModel
import Logging
import Makers
import ServiceLifecycle
import USBHotplug
import WorkerProtocol

/// Keeps one camera connected while it is there: starts its worker, opens sessions, climbs the recovery ladder.
actor CameraSupervisor {
    private let id: CameraID
    private var camera: ConfiguredCamera
    /// Where it is on the USB; `nil` for the network.
    private let place: USBPlace?
    private let habits: [MakerHabits]
    private let workers: WorkerStart
    private let registry: CameraRegistry
    private let obstacles: CameraObstacles
    /// Tells the camera by its name; see ``rename(to:)``.
    private var logger: Logger
    private let owner: any SessionOwner
    /// Tells that the camera is connected, and learns what it is called.
    private let met: @Sendable (CameraFacts) async -> ConfiguredCamera?
    /// The camera was unplugged, or is not wanted any more.
    private let departure = Departure()

    private var recovery = CameraRecovery()
    /// The zone that the open connection compares the camera's clock with.
    private var openedZone = ZoneOffsets(seconds: 0)

    /// A session that lasted this long was a sound one: the next failure starts at the ladder's foot.
    private static let soundSession: Duration = .seconds(5)

    /// Time for a session's owner to finish when the service stops.
    private static let stopGrace: Duration = .seconds(4)

    /// Creates a supervisor for one camera.
    init(
        camera: ConfiguredCamera, place: USBPlace?, knowledge: KnowledgeBase, workers: WorkerStart,
        owner: any SessionOwner,
        registry: CameraRegistry, health: HealthBoard, logger: Logger,
        met: @escaping @Sendable (CameraFacts) async -> ConfiguredCamera?
    ) {
        id = camera.id
        self.camera = camera
        self.place = place
        habits = knowledge.habits
        self.workers = workers
        self.owner = owner
        self.registry = registry
        obstacles = CameraObstacles(
            id: camera.id, place: place, knowledge: knowledge, registry: registry, health: health)
        self.met = met
        var logger = logger
        logger[metadataKey: "camera"] = "\(camera.name)"
        self.logger = logger
    }

    /// The camera was unplugged, or is not wanted any more: the supervisor ends soon.
    nonisolated func leave(_ reason: Departure.Reason) { departure.happen(reason) }

    /// The camera is called so from now on, in sentences and in the journal: a first connection settles its name, and
    /// people change it.
    func rename(to name: String) {
        camera.name = name
        logger[metadataKey: "camera"] = "\(name)"
    }

    /// Runs until the camera leaves or the service stops.
    func run() async {
        let process = WorkerProcess(start: workers, camera: camera)
        while !isStopping {
            recovery.next = .reopen
            if obstacles.isAllowed(camera) {
                do {
                    let end = try await process.run { link in await self.use(link) }
                    ended(end, lastObject: process.lastObjectHandle())
                } catch {
                    cannotStart(error)
                }
                registry.connected(nil, camera: id)
            } else {
                recovery.next = recovery.failed(workerIsAlive: false)
            }
            guard !isStopping else { break }
            await pause()
        }
        registry.update(id, state: .searching)
    }

    private var isStopping: Bool {
        Task.isCancelled || Task.isShuttingDownGracefully || departure.reason != nil
    }

    /// Does what the ladder says between two workers; cut short when the camera leaves or the service stops.
    private func pause() async {
        let pause: Duration
        switch recovery.next {
        case .reopen: return
        case .freshWorker(let after): pause = after
        case .resetPort(let after):
            pause = after
            await place?.resetPort(logger)
        }
        await self.wait(for: pause)
    }

    /// Waits; less when the camera leaves or the service stops.
    private func wait(for time: Duration?) async {
        await cancelWhenGracefulShutdown { [departure] in
            await withTaskGroup { group in
                if let time { group.addTask { try? await Task.sleep(for: time) } }
                group.addTask { await departure.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    // MARK: workers

    /// A worker has ended: perhaps over an object.
    private func ended(_ end: WorkerProcess.End, lastObject: UInt32?) {
        if case .hung(let call) = end {
            logger.warning("ended a worker that hung", metadata: ["call": "\(call)"])
        } else {
            logger.info("worker ended", metadata: ["how": "\(end)"])
        }
        if !isStopping {
            registry.workerEnded(end)
            recovery.workerEnded()
        }
        guard end.blamesObject, let lastObject, recovery.died(over: lastObject) else { return }
        logger.error("object set aside", metadata: ["handle": "\(lastObject.asHandle)", "why": "\(end)"])
        obstacles.setAside(recovery.quarantined.count, last: lastObject, camera)
    }

    /// No worker could be started.
    private func cannotStart(_ error: any Error) {
        logger.error("cannot start the camera worker", metadata: ["reason": "\(error)"])
        recovery.next = .freshWorker(after: RecoveryLadder.pauses.maximum)
        obstacles.cannotStart(error, camera, workers.settings)
    }

    /// Uses one worker until it should be replaced.
    private func use(_ link: WorkerLink) async {
        obstacles.didStart()
        link.tellOperations { [registry, id] in registry.update(id, operation: $0) }
        await withTaskGroup { group in
            let hub = SessionNotices()
            group.addTask { await self.pump(link, hub) }
            group.addTask { await self.cutOffWhenStopping(link) }
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

    /// When the service stops: ends a worker that is still connecting at once, for nothing is lost by it, and any
    /// other one after a moment, whatever its driver is waiting for.
    private func cutOffWhenStopping(_ link: WorkerLink) async {
        do {
            try await gracefulShutdown()
            if registry.session(of: id) != nil { try await Task.sleep(for: Self.stopGrace) }
        } catch { return }
        link.end(WorkerLink.gone("the service stops"))
    }

    /// When the camera leaves: ends its worker at once; when it is not wanted any more, in order.
    private func endWhenLeaving(_ link: WorkerLink) async {
        await departure.wait()
        switch departure.reason {
        case nil: return
        case .unplugged:
            // Only its worker knows how many photos stay in a memory that cannot be listed.
            guard let facts = registry.camera(id)?.facts, facts.leavesPhotosBehind else { break }
            do { try await Task.sleep(for: Departure.lastWords) } catch { return }
        case .unwanted:
            // The worker puts the camera's settings back and ends, and its link with it.
            try? link.send(.close)
            do { try await Task.sleep(for: Self.stopGrace) } catch { return }
        }
        link.end(WorkerLink.gone("the camera left"))
    }

    /// Opens a session and hands it to its owner.
    private func serveOnce(_ link: WorkerLink, _ hub: SessionNotices) async -> RecoveryLadder.Action {
        // What stands in the way is shown until it is gone, however often it is tried meanwhile.
        registry.change(id) { status in
            if status.guidance == nil { status.state = recovery.wasConnected ? .reconnecting : .connecting }
        }
        do throws(WorkerFailure) {
            openedZone = ZoneOffsets(camera.zone, from: Date())
            let request = OpenRequest(
                port: camera.driverPort, quarantinedHandles: recovery.quarantined,
                zone: openedZone, captureTarget: camera.captureTarget,
                shutterWait: camera.shutterWait, habits: habits)
            guard case .opened(let facts) = try await link.request({ .open(id: $0, request) }) else {
                return failed(link)
            }
            if let guidance = obstacles.wrongMode(facts, logger) {
                // Another mode shows itself as another arrival: until then there is nothing to try.
                link.end(WorkerLink.gone("the camera is in another mode: \(guidance.sentence)"))
                await wait(for: nil)
                return .freshWorker(after: .zero)
            }
            let session = await connected(facts, hub, link)
            let start = ContinuousClock.now
            let end = await owner.serve(session)
            registry.connected(nil, camera: id)
            logger.info("session ended", metadata: ["why": "\(end)"])
            switch end {
            case .stopping, .relist: return .reopen
            case .lost(let afterProgress):
                if afterProgress || start.duration(to: .now) > Self.soundSession { recovery.wasSound() }
                return failed(link)
            }
        } catch {
            guard !isStopping else { return .reopen }
            logger.info(
                "cannot open the camera", metadata: ["reason": "\(error.text)", "code": "\(error.code)"])
            if recovery.hasFailed || !link.isAlive || error.kind == .busy {
                recovery.cameraIsAway()
                await obstacles.cannotOpen(error, camera)
            }
            return failed(link)
        }
    }

    private func connected(
        _ facts: CameraFacts, _ hub: SessionNotices, _ link: WorkerLink
    ) async -> CameraSession {
        if let camera = await met(facts) {
            self.camera = camera
            rename(to: camera.name)
        }
        logger.info("connected", metadata: ["model": "\(facts.model)", "serial": "\(facts.serial)"])
        let session = CameraSession(
            configured: camera, place: place?.device.portPath ?? camera.port, facts: facts,
            notices: hub.begin(), link: link, parts: workers.settings.parts(of: id),
            hasSetAside: !recovery.quarantined.isEmpty)
        recovery.connected()
        registry.connected(session, camera: id)
        registry.change(id) { status in
            status.facts = facts
            status.guidance = nil
        }
        obstacles.isGone()
        obstacles.report(facts, camera)
        return session
    }

    private func failed(_ link: WorkerLink) -> RecoveryLadder.Action {
        recovery.failed(workerIsAlive: link.isAlive)
    }

    private func pump(_ link: WorkerLink, _ hub: SessionNotices) async {
        while let (event, bytes) = await link.notices.next() {
            switch event {
            case .hello(let hello) where hello.protocolVersion != WorkerFrame.protocolVersion:
                logger.error("worker and daemon are of different versions: install them together")
                link.end(WorkerLink.gone("the worker speaks protocol \(hello.protocolVersion)"))
            case .hello(let hello):
                registry.driverVersion = hello.libraryVersion
                logger.debug(
                    "worker started",
                    metadata: ["pid": "\(hello.pid)", "libgphoto2": "\(hello.libraryVersion)"])
            case .lost(let failure): hub.yield(.lost(failure))
            case .objectAdded(let object): hub.yield(.objectAdded(object), bytes: bytes)
            case .listChanged(let reason): hub.yield(.listChanged(reason), bytes: bytes)
            case .progress(_, let soFar): hub.yield(.progress(bytes: soFar), bytes: bytes)
            case .facts(let told):
                let now = Date()
                let facts = told.comparingClock(
                    in: camera.zone.secondsFromGMT(for: now),
                    insteadOf: openedZone.seconds(at: Int64(now.timeIntervalSince1970)))
                registry.update(id, facts: facts)
                hub.yield(.facts(facts), bytes: bytes)
            case .settingsChanged(let settings, let source):
                registry.update(id, settings: settings, from: source)
            case .pulse, .operation, .opened, .listed, .reconciled, .fetched, .settings, .settingResults,
                .clockSet,
                .frame, .done, .failed:
                break
            }
        }
        if let breach = link.breach {
            logger.warning(
                "ended a worker that cannot be trusted: a fresh one follows", metadata: ["why": "\(breach)"])
        }
        hub.yield(.lost(WorkerLink.gone("the worker ended")))
        hub.finish()
    }
}
