public import APIServer
public import FrameFastAPI
import Synchronization

/// A control surface that answers from a script and remembers what it was asked.
public final class ScriptedControlSurface: ControlSurface {
    /// The script.
    public struct Script: Sendable {
        /// What `status` answers; cameras, session and conditions come from here as well.
        public var status = Samples.status
        /// Photos by falling id.
        public var captures: [CaptureReply] = []
        /// The picker's rows.
        public var makers = Samples.makers
        /// What looking on the network finds.
        public var discovery = Samples.discovery
        /// What the service finds wrong.
        public var diagnosis = Samples.diagnosis
        /// The destinations.
        public var destinations = Samples.destinations
        /// What a test of a destination says.
        public var destinationTest = Samples.destinationTest
        /// Upload jobs by falling id.
        public var jobs = Samples.jobs
        /// The mode.
        public var mode = Samples.mode
        /// The photos here.
        public var storage = Samples.storage
        /// Thrown by every call, when set.
        public var failure: ControlError?
        /// Thrown when photos are listed, when set.
        public var captureFailure: ControlError?
        /// Calls so far, in words.
        public var calls: [String] = []
    }

    private let script = Mutex(Script())
    private let more: @Sendable (inout EndpointTable) -> Void

    /// Creates a surface with the samples.
    ///
    /// - Parameter more: Attaches answers to endpoints that the script does not know: a test of a new verb brings its own.
    public init(answering more: @escaping @Sendable (inout EndpointTable) -> Void = { _ in }) {
        self.more = more
    }

    /// Attaches what the script answers.
    public func attach(to table: inout EndpointTable) {
        table.on(\.service.version) { () throws(ControlError) in VersionReply(version: "9.8.7") }
        table.on(\.service.conditions, conditions)
        table.on(\.service.diagnosis, diagnosis)
        table.on(\.cameras.list, cameras)
        table.on(\.cameras.get, camera)
        table.on(\.cameras.add, addCamera)
        table.on(\.cameras.rename, renameCamera)
        table.on(\.cameras.ignore, ignoreCamera)
        table.on(\.cameras.forget, forgetCamera)
        table.on(\.cameras.trigger) { [self] id throws(ControlError) in try await trigger(camera: id) }
        table.on(\.cameras.triggerAll) { [self] () throws(ControlError) in try await trigger(camera: nil) }
        table.on(\.cameras.makers, makers)
        table.on(\.cameras.discover, discover)
        table.on(\.captures.list, captures)
        table.on(\.captures.get, capture)
        table.on(\.sessions.list, sessions)
        table.on(\.sessions.start, startSession)
        table.on(\.sessions.stop, stopSession)
        table.on(\.sessions.testTemplate, testTemplate)
        attachUploads(to: &table)
        more(&table)
    }

    /// Changes the script.
    public func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }

    /// Calls so far, in words.
    public var calls: [String] { script.withLock { $0.calls } }

    func note(_ call: String) throws(ControlError) -> Script {
        let now = script.withLock { script in
            script.calls.append(call)
            return script
        }
        if let failure = now.failure { throw failure }
        return now
    }

    /// The script's status.
    public func status() async throws(ControlError) -> StatusReply { try note("status").status }

    /// The status's cameras.
    public func cameras() async throws(ControlError) -> CamerasReply {
        CamerasReply(cameras: try note("cameras").status.cameras)
    }

    /// One of the status's cameras.
    public func camera(_ camera: CameraReference) async throws(ControlError) -> CameraReply {
        guard let found = try note("camera \(camera)").status.cameras.first(where: { $0.isMeant(by: camera) })
        else {
            throw ControlError(.notFound, "cannot find camera '\(camera)'")
        }
        return found
    }

    /// A camera of that name at that address.
    public func addCamera(_ request: CameraAddRequest) async throws(ControlError) -> CameraReply {
        _ = try note("addCamera \(request.address)")
        let name = request.name ?? "camera"
        let camera = CameraReply(
            id: CameraID(rawValue: name), name: name, port: request.address, state: .connecting)
        script.withLock { $0.status.cameras.append(camera) }
        return camera
    }

    /// The camera under its new name.
    public func renameCamera(
        _ camera: CameraReference, _ request: CameraRenameRequest
    ) async throws(ControlError) -> CameraReply {
        let name = request.name
        return try changeCamera(camera, "renameCamera \(camera) \(name)") { $0.name = name }
    }

    /// The camera, left alone or not.
    public func ignoreCamera(
        _ camera: CameraReference, _ request: CameraIgnoreRequest
    ) async throws(ControlError) -> CameraReply {
        let isIgnored = request.ignored
        return try changeCamera(camera, "ignoreCamera \(camera) \(isIgnored)") { $0.isIgnored = isIgnored }
    }

    private func changeCamera(
        _ camera: CameraReference, _ call: String, _ body: (inout CameraReply) -> Void
    ) throws(ControlError) -> CameraReply {
        guard let index = try note(call).status.cameras.firstIndex(where: { $0.isMeant(by: camera) }) else {
            throw ControlError(.notFound, "cannot find camera '\(camera)'")
        }
        return script.withLock { script in
            body(&script.status.cameras[index])
            return script.status.cameras[index]
        }
    }

    /// The other cameras.
    public func forgetCamera(_ camera: CameraReference) async throws(ControlError) -> CamerasReply {
        guard try note("forgetCamera \(camera)").status.cameras.contains(where: { $0.isMeant(by: camera) })
        else {
            throw ControlError(.notFound, "cannot find camera '\(camera)'")
        }
        return script.withLock { script in
            script.status.cameras.removeAll { $0.isMeant(by: camera) }
            return CamerasReply(cameras: script.status.cameras)
        }
    }

    /// The picker's rows.
    public func makers() async throws(ControlError) -> MakersReply {
        MakersReply(makers: try note("makers").makers)
    }

    /// What is to be found.
    public func discover(_ request: DiscoveryRequest) async throws(ControlError) -> DiscoveryReply {
        try note("discover \(request.maker ?? "all")").discovery
    }

    /// One figure.
    public func metrics() async throws(ControlError) -> MetricsText {
        _ = try note("metrics")
        return Samples.metrics
    }

    /// What is wrong.
    public func diagnosis() async throws(ControlError) -> DiagnosisReply { try note("diagnosis").diagnosis }

    /// A page; the cursor is the last id of the page before.
    public func captures(_ query: CapturesQuery) async throws(ControlError) -> CapturesReply {
        let now = try note("captures")
        if let failure = now.captureFailure { throw failure }
        let all = now.captures.filter { capture in
            query.cursor.flatMap { Int64($0) }.map { capture.id.rawValue < $0 } ?? true
                && query.session.map { capture.session == $0 } ?? true
                && query.camera.map { $0.means(capture.cameraID, capture.cameraName) } ?? true
                && query.state.map { capture.state == $0 } ?? true
        }
        let page = Array(all.prefix(query.limit))
        return CapturesReply(
            captures: page, nextCursor: all.count > page.count ? page.last.map { $0.id.description } : nil)
    }

    /// One photo.
    public func capture(id: CaptureID) async throws(ControlError) -> CaptureReply {
        guard let capture = try note("capture \(id)").captures.first(where: { $0.id == id }) else {
            throw ControlError(.notFound, "cannot find a photo with id '\(id)'")
        }
        return capture
    }

    /// The status's session.
    public func sessions(_ query: SessionsQuery) async throws(ControlError) -> SessionsReply {
        SessionsReply(sessions: try note("sessions \(query.limit)").status.session.map { [$0] } ?? [])
    }

    /// A new session of that name.
    public func startSession(_ request: SessionStartRequest) async throws(ControlError) -> SessionReply {
        _ = try note("startSession \(request.name)")
        let session = SessionReply(
            id: 2, name: request.name, startedAt: Samples.time, uploadMode: request.uploadMode ?? .realtime,
            keep: request.keep)
        script.withLock { $0.status.session = session }
        return session
    }

    /// Ends the status's session.
    public func stopSession() async throws(ControlError) -> SessionReply {
        guard var session = try note("stopSession").status.session else {
            throw ControlError(.conflict, "cannot stop a session: none is running")
        }
        session.endedAt = Samples.time
        script.withLock { $0.status.session = nil }
        return session
    }

    /// The status's conditions.
    public func conditions() async throws(ControlError) -> ConditionsReply {
        ConditionsReply(conditions: try note("conditions").status.conditions)
    }

    /// Releases every camera that was asked for.
    public func trigger(camera: CameraReference?) async throws(ControlError) -> TriggerReply {
        let cameras = try note("trigger \(camera?.rawValue ?? "all")").status.cameras
        return TriggerReply(triggered: cameras.filter { one in camera.map(one.isMeant) ?? true }.map(\.name))
    }

    /// The template with numbers behind it.
    public func testTemplate(_ request: TemplateTestRequest) async throws(ControlError) -> TemplateTestReply {
        let (template, count) = (request.template, request.count ?? TemplateTestRequest.countDefault)
        _ = try note("testTemplate \(count)")
        return TemplateTestReply(template: template, names: (1...count).map { "\(template)-\($0)" })
    }
}

extension CameraReply {
    /// Whether a word is its id or its name.
    fileprivate func isMeant(by camera: CameraReference) -> Bool { camera.means(id, name) }
}

extension CameraReference {
    /// Whether it is this id or this name.
    func means(_ id: CameraID, _ name: String) -> Bool { self == CameraReference(id) || rawValue == name }
}
