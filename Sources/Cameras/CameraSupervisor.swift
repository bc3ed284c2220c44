import Foundation
import FrameFastModel
public import Logging
public import ServiceLifecycle
import WorkerProtocol

/// Keeps one configured camera connected: starts its worker, opens sessions, climbs the recovery ladder.
public actor CameraSupervisor: Service {
    private let camera: ConfiguredCamera
    private let settings: WorkerSettings
    private let drivers: String
    private let owner: any SessionOwner
    private let registry: CameraRegistry
    private let health: HealthBoard
    private let logger: Logger

    private var ladder = RecoveryLadder()
    private var suspects = SuspectObjects()
    private var pauseMs = 0
    /// Whether the camera was there until a moment ago.
    private var wasConnected = false

    /// A session that lasted this long was a sound one: the next failure starts at the ladder's foot.
    private static let soundSession: Duration = .seconds(5)

    /// Time for a session's owner to finish when the service stops.
    private static let stopGrace: Duration = .seconds(4)

    /// Creates a supervisor for one camera.
    public init(
        camera: ConfiguredCamera, settings: WorkerSettings, drivers: String, owner: any SessionOwner,
        registry: CameraRegistry, health: HealthBoard, logger: Logger
    ) {
        self.camera = camera
        self.settings = settings
        self.drivers = drivers
        self.owner = owner
        self.registry = registry
        self.health = health
        var logger = logger
        logger[metadataKey: "camera"] = "\(camera.name)"
        self.logger = logger
        registry.add(camera)
    }

    /// Runs until the service stops.
    public func run() async throws {
        let process = WorkerProcess(settings: settings, drivers: drivers, camera: camera, logger: logger)
        while !isStopping {
            pauseMs = 0
            do {
                let end = try await process.run { link, watch in await self.use(link, watch) }
                judge(end, lastObject: process.lastObjectHandle())
            } catch {
                cannotStart(error)
            }
            registry.connected(nil, camera: camera.name)
            guard !isStopping else { break }
            try? await cancelWhenGracefulShutdown { [pauseMs] in
                try await Task.sleep(for: .milliseconds(pauseMs))
            }
        }
        registry.update(camera.name, state: .searching)
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    // MARK: one worker

    /// Uses one worker until it should be replaced.
    private func use(_ link: WorkerLink, _ watch: WorkerWatch) async {
        await withTaskGroup { group in
            let hub = SessionNotices()
            group.addTask { await self.pump(link, watch, hub) }
            group.addTask { await self.cutOffWhenStopping(link) }
            while !isStopping && link.isAlive {
                guard await serveOnce(link, hub) == .reopen else { break }
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
            if registry.session(of: camera.name) != nil { try await Task.sleep(for: Self.stopGrace) }
        } catch { return }
        link.end(WorkerLink.gone("the service stops"))
    }

    /// Opens a session and hands it to its owner.
    private func serveOnce(_ link: WorkerLink, _ hub: SessionNotices) async -> RecoveryLadder.Action {
        registry.update(camera.name, state: wasConnected ? .reconnecting : .connecting)
        do throws(WorkerFailure) {
            let request = OpenRequest(
                port: camera.driverPort, quarantinedHandles: suspects.quarantined,
                zoneOffsetSeconds: camera.zone.secondsFromGMT())
            guard case .opened(let facts) = try await link.request({ .open(id: $0, request) }) else {
                return failed(link)
            }
            let session = CameraSession(
                configured: camera, identity: camera.identity(facts), facts: facts, notices: hub.begin(),
                link: link)
            connected(session)
            let start = ContinuousClock.now
            let end = await owner.serve(session)
            registry.connected(nil, camera: camera.name)
            logger.info("session ended", metadata: ["why": "\(end)"])
            switch end {
            case .stopping, .relist: return .reopen
            case .lost(let afterProgress):
                if afterProgress || start.duration(to: .now) > Self.soundSession { ladder.connected() }
                return failed(link)
            }
        } catch {
            guard !isStopping else { return .reopen }
            logger.info(
                "cannot open the camera", metadata: ["reason": "\(error.text)", "code": "\(error.code)"])
            if ladder.failures >= 1 || !link.isAlive { unreachable(error) }
            return failed(link)
        }
    }

    private func connected(_ session: CameraSession) {
        logger.info(
            "connected", metadata: ["model": "\(session.facts.model)", "serial": "\(session.facts.serial)"])
        suspects.connected()
        wasConnected = true
        registry.connected(session, camera: camera.name)
        registry.update(camera.name, state: .ready, facts: session.facts)
        health.clear("camera-unreachable", subject: camera.name)
    }

    private func failed(_ link: WorkerLink) -> RecoveryLadder.Action {
        let action = ladder.failed(workerIsAlive: link.isAlive)
        if case .freshWorker(let afterMs) = action { pauseMs = afterMs }
        return action
    }

    private func pump(_ link: WorkerLink, _ watch: WorkerWatch, _ hub: SessionNotices) async {
        for await event in link.notices {
            switch event {
            case .hello(let hello) where hello.protocolVersion != WorkerFrame.protocolVersion:
                logger.error("worker and daemon are of different versions: install them together")
                link.end(WorkerLink.gone("the worker speaks protocol \(hello.protocolVersion)"))
            case .hello(let hello):
                watch.heard(nil)
                logger.debug(
                    "worker started",
                    metadata: ["pid": "\(hello.pid)", "libgphoto2": "\(hello.libraryVersion)"])
            case .pulse(let pulse): watch.heard(pulse)
            case .lost(let failure): hub.yield(.lost(failure))
            case .objectAdded(let object): hub.yield(.objectAdded(object))
            case .listChanged(let reason): hub.yield(.listChanged(reason))
            case .progress(_, let bytes): hub.yield(.progress(bytes: bytes))
            case .facts(let facts):
                registry.update(camera.name, facts: facts)
                hub.yield(.facts(facts))
            case .opened, .listed, .reconciled, .fetched, .config, .done, .failed: break
            }
        }
        hub.yield(.lost(WorkerLink.gone("the worker ended")))
        hub.finish()
    }

    // MARK: after a worker

    private func judge(_ end: WorkerProcess.End, lastObject: UInt32?) {
        logger.info("worker ended", metadata: ["how": "\(end)"])
        if ladder.failures == 0, !isStopping,
            case .freshWorker(let afterMs) = ladder.failed(workerIsAlive: false)
        {
            pauseMs = afterMs
        }
        guard end.blamesObject, let lastObject, suspects.died(over: lastObject) else { return }
        let handle = "0x" + String(lastObject, radix: 16)
        logger.error("object set aside", metadata: ["handle": "\(handle)", "why": "\(end)"])
        health.raise(
            "object-set-aside", .warning, subject: camera.name,
            sentence:
                "\(camera.name): \(suspects.quarantined.count) file(s) on the card make the camera driver crash "
                + "(last: object \(handle)); they are left alone and everything else is taken.",
            nextStep:
                "Copy them from the card with a card reader; unusually long file names are the common cause.")
    }

    private func unreachable(_ failure: WorkerFailure) {
        registry.update(camera.name, state: .searching)
        wasConnected = false
        suspects.cameraIsAway()
        if suspects.quarantined.isEmpty { health.clear("object-set-aside", subject: camera.name) }
        let (sentence, nextStep) = FailureWords.words(for: failure, camera: camera)
        health.raise(
            "camera-unreachable", .warning, subject: camera.name, sentence: sentence, nextStep: nextStep)
    }

    private func cannotStart(_ error: any Error) {
        logger.error("cannot start the camera worker", metadata: ["reason": "\(error)"])
        pauseMs = RecoveryLadder.pauseMaxMs
        registry.update(camera.name, state: .failed)
        health.raise(
            "camera-unreachable", .danger, subject: camera.name,
            sentence: "The worker for \(camera.name) cannot be started: \(error).",
            nextStep: error is WorkerHomeError
                ? "Make room on the disk that holds \(settings.homes): it is tried again by itself."
                : "Check that \(settings.program) is installed and can be run.")
    }
}
