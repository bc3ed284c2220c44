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
    let uploadFigures = Mutex(UploadFiguresReply())
    private let lastSaved = Mutex<[String: CaptureRecord]>([:])

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
        health.current.map { ConditionReply($0) { registry.camera($0)?.name ?? $0 } }
    }

    /// The newest photo of a camera.
    func remember(saved record: CaptureRecord) {
        let camera = cameraID(of: record.cameraID)
        lastSaved.withLock { if $0[camera]?.id ?? 0 <= record.id { $0[camera] = record } }
    }

    /// The newest photo of a camera that is on disk.
    func newest(camera: String) -> CaptureRecord? { lastSaved.withLock { $0[camera] } }

    func status() async throws(ControlError) -> StatusReply {
        // First: what they say of a camera or the disk shows in what is read after them.
        let conditions = conditionReplies
        let cameras = try await cameras().cameras.filter(isNotable)
        let captures = try await figures()
        // A photo that is counted above is counted in its session, too.
        let session = try await runningSession()
        let destinations = try await destinations().destinations
        return StatusReply(
            version: ProductVersion.current, state: state.withLock { $0 }, startedAt: startedAt,
            cameras: cameras,
            session: session, captures: captures, disk: disk(), uploads: uploadFigures.withLock { $0 },
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

    func camera(id: String) async throws(ControlError) -> CameraReply {
        let id = try known(id).id
        guard let camera = try await cameras().cameras.first(where: { $0.id == id }) else {
            throw unknownCamera(id)
        }
        return camera
    }

    /// The row before which a page begins; `nil` for the first page.
    static func id(before cursor: String?) throws(ControlError) -> Int64? {
        guard let cursor else { return nil }
        guard let id = Int64(cursor) else {
            throw ControlError(
                .invalid, "the cursor '\(cursor)' is not one of this service",
                nextStep: "Start without a cursor.")
        }
        return id
    }

    func captures(_ query: CapturesQuery) async throws(ControlError) -> CapturesReply {
        let before = try Self.id(before: query.cursor)
        let wanted = CaptureQuery(
            before: before, limit: query.limit, camera: query.camera.map(idOnRecord),
            session: query.session, state: try query.state.map(Self.captureState))
        let captures = try await asking { [ledger] in try await ledger.captures(wanted) }
        let shots = Set(captures.map(\.record.shotID))
        let cursor = shots.count == query.limit ? shots.min().map(String.init) : nil
        return CapturesReply(captures: captures.map(reply), nextCursor: cursor)
    }

    func capture(id: Int64) async throws(ControlError) -> CaptureReply {
        let shot = try await asking { [ledger] in try await ledger.shot(of: id) }
        guard let capture = shot.first(where: { $0.record.id == id }) else {
            throw ControlError(
                .notFound, "there is no photo \(id)", nextStep: "List them with 'framefast captures'.")
        }
        return reply(capture)
    }

    func retryCapture(id: Int64) async throws(ControlError) -> CaptureReply {
        let before = try await capture(id: id)
        guard try await asking({ [engine] in try await engine.tryAgain(id) }) != nil else {
            throw ControlError(
                .conflict, "cannot read photo \(id) once more: it is \(before.state.rawValue), not damaged")
        }
        return try await capture(id: id)
    }

    func sessions(_ query: SessionsQuery) async throws(ControlError) -> SessionsReply {
        SessionsReply(sessions: try await sessions(limit: query.limit))
    }

    func sessions(limit: Int) async throws(ControlError) -> [SessionReply] {
        try await asking { [ledger] in try await ledger.sessions(limit: limit) }.map(SessionReply.init)
    }

    func startSession(_ request: SessionStartRequest) async throws(ControlError) -> SessionReply {
        let keep = try Self.rule(request.keep)
        let previous = try await runningSession()
        var session = try await asking { [ledger] in
            try await ledger.startSession(
                name: request.name,
                uploadMode: request.uploadMode.flatMap { UploadMode(rawValue: $0.rawValue) } ?? .realtime,
                at: Date())
        }
        engine.use(session)
        if let keep {
            let id = session.id
            try await uploading { try await $0.setRetention(keep, session: id) }
            session.keep = keep
        }
        if var previous {
            previous.endedAt = session.startedAt
            hooks.session(previous)
        }
        let reply = SessionReply(LedgerStore.SessionSum(session))
        hooks.session(reply)
        hub.publish(.session(reply))
        return reply
    }

    func stopSession() async throws(ControlError) -> SessionReply {
        guard let session = try await asking({ [ledger] in try await ledger.stopSession(at: Date()) }) else {
            throw ControlError(
                .conflict, "no session is running", nextStep: "Start one with 'framefast session start NAME'."
            )
        }
        engine.use(nil)
        let all = try await sessions(limit: 1)
        let reply = all.first { $0.id == session.id } ?? SessionReply(LedgerStore.SessionSum(session))
        hooks.session(reply)
        hub.publish(.session(reply))
        return reply
    }

    func conditions() async throws(ControlError) -> ConditionsReply {
        ConditionsReply(conditions: conditionReplies)
    }

    func trigger(camera: String) async throws(ControlError) -> TriggerReply {
        let status = try known(camera)
        guard let session = registry.session(of: status.id) else {
            throw ControlError(
                .conflict, "camera '\(camera)' is not connected",
                nextStep: status.guidance?.steps.first ?? "See 'framefast cameras' for what it needs.")
        }
        do throws(WorkerFailure) { try await session.trigger() } catch {
            throw ControlError(
                error.kind == .unsupported ? .unsupported : .cameraFailed,
                "cannot release the shutter of '\(status.name)': \(error.text)",
                nextStep: "Look at the camera: it may be asleep, out of focus, or its card full.")
        }
        return TriggerReply(triggered: [status.name])
    }

    func triggerAll() async throws(ControlError) -> TriggerReply {
        let ready = registry.all.compactMap { status in
            registry.session(of: status.id).map { (name: status.name, session: $0) }
        }
        guard !ready.isEmpty else {
            throw ControlError(
                .conflict, "no camera is connected", nextStep: "See 'framefast cameras' for what they need.")
        }
        return await Self.triggerAll(ready)
    }

    private static func triggerAll(
        _ cameras: [(name: String, session: CameraSession)]
    ) async -> TriggerReply {
        await withTaskGroup(of: (String, WorkerFailure?).self) { group in
            for (name, session) in cameras {
                group.addTask {
                    do throws(WorkerFailure) { try await session.trigger() } catch { return (name, error) }
                    return (name, nil)
                }
            }
            var reply = TriggerReply(triggered: [])
            for await (camera, failure) in group {
                if let failure {
                    reply.refused.append(.init(camera: camera, message: failure.text))
                } else {
                    reply.triggered.append(camera)
                }
            }
            return reply
        }
    }

    func testTemplate(_ request: TemplateTestRequest) async throws(ControlError) -> TemplateTestReply {
        let (text, count) = (request.template, request.count ?? TemplateTestRequest.countDefault)
        let template: NamingTemplate
        do throws(NamingTemplateError) { template = try NamingTemplate(text) } catch {
            throw ControlError(.invalid, error.description)
        }
        let names = try await asking { [self] in
            let session = try await ledger.currentSession()
            let status = registry.all.first
            let identity = status.flatMap { engine.identity(ofCamera: $0.id) ?? $0.id } ?? "camera"
            let scope = CaptureNaming.counterScope(template: template, session: session?.id, camera: identity)
            let next = try await ledger.peekCounter(scope: scope)
            let record = CaptureRecord(
                id: 0, cameraID: identity,
                object: CameraObject(
                    folder: "/store_00010001/DCIM", name: "IMG_0001.JPG", size: 0, cameraTime: nil),
                state: .seen, sessionID: session?.id, detectedAt: Date())
            return (0..<count).map { index in
                template.path(for: engine.naming.facts(record, counter: next + index))
            }
        }
        return TemplateTestReply(template: text, names: names)
    }

    // MARK: parts

    func figures() async throws(ControlError) -> CaptureFiguresReply {
        let now = Date()
        let totals = try await asking { [ledger] in
            try await ledger.totals(startOfDay: Calendar.current.startOfDay(for: now), now: now)
        }
        return CaptureFiguresReply(
            shots: totals.shots, shotsToday: totals.shotsToday, shotsPerMinute: totals.shotsLastMinute,
            total: totals.saved, today: totals.today, bytes: Int64(clamping: totals.bytes),
            verify: settings.verify.rawValue,
            awaitingReread: totals.awaitingReread)
    }

    func disk() -> DiskReply {
        let disk = engine.disk
        return DiskReply(
            directory: settings.directory, freeBytes: Int64(clamping: disk.freeBytes),
            minFreeBytes: Int64(clamping: disk.minFreeBytes),
            totalBytes: (try? DiskSpace.of(settings.directory)).map { Int64(clamping: $0.totalBytes) },
            guard: .init(disk.level))
    }

    func runningSession() async throws(ControlError) -> SessionReply? {
        guard let newest = try await sessions(limit: 1).first, newest.endedAt == nil else { return nil }
        return newest
    }

    func unknownCamera(_ id: String) -> ControlError {
        let names = registry.all.map(\.name).joined(separator: ", ")
        return ControlError(
            .notFound, "there is no camera '\(id)'",
            nextStep: names.isEmpty
                ? "Plug one in, or follow 'framefast connect'." : "Known cameras: \(names).")
    }

    /// Asks the ledger; what goes wrong there is the service's fault, not the caller's.
    func asking<Value: Sendable>(_ body: @Sendable () async throws -> Value)
        async throws(ControlError) -> Value
    {
        do { return try await body() } catch {
            throw ControlError(
                .internal, "cannot read the ledger: \(error)", nextStep: "Look at the service's log.")
        }
    }

    private static func captureState(_ state: CaptureReply.State) throws(ControlError) -> CaptureState {
        guard let known = CaptureState(rawValue: state.rawValue) else {
            throw ControlError(
                .invalid, "there are no photos in state '\(state.rawValue)'",
                nextStep: "States are \(CaptureState.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return known
    }
}
