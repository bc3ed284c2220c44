public import APIServer
public import FrameFastAPI
import Synchronization

/// A control surface that returns scripted replies and records its calls.
public final class ScriptedControlSurface: ControlSurface {
    /// The state of the surface and its replies.
    public struct Script: Sendable {
        /// The status, which also provides the cameras, the session and the conditions.
        public var status = Samples.status
        /// The photos, by descending ID.
        public var captures: [CaptureReply] = []
        /// The makers.
        public var makers = Samples.makers
        /// The result of a network discovery.
        public var discovery = Samples.discovery
        /// The result of the service's diagnosis.
        public var diagnosis = Samples.diagnosis
        /// The destinations.
        public var destinations = Samples.destinations
        /// The result of a destination test.
        public var destinationTest = Samples.destinationTest
        /// The upload jobs, by descending ID.
        public var jobs = Samples.jobs
        /// The upload mode.
        public var mode = Samples.mode
        /// The storage summary.
        public var storage = Samples.storage
        /// The results of the settings that a starting session changes, or `nil` if the session changes no
        /// settings.
        public var sessionSettings: [SettingsChangeReply]?
        /// The error that all calls throw, or `nil`.
        public var failure: ControlError?
        /// The error that listing photos throws, or `nil`.
        public var captureFailure: ControlError?
        /// The calls so far, as text.
        public var calls: [String] = []
    }

    private let script = Mutex(Script())
    private let more: @Sendable (inout EndpointTable) -> Void

    /// Creates a surface with the sample values.
    ///
    /// - Parameter more: A function that attaches handlers to further endpoints.
    public init(answering more: @escaping @Sendable (inout EndpointTable) -> Void = { _ in }) {
        self.more = more
    }

    /// Attaches the handlers with scripted replies.
    public func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.service.version) { () throws(ControlError) in VersionReply(version: "9.8.7") }
        table.handle(\.service.conditions, with: conditions)
        table.handle(\.service.diagnosis, with: diagnosis)
        table.handle(\.cameras.list, with: cameras)
        table.handle(\.cameras.get, with: camera)
        table.handle(\.cameras.add, with: addCamera)
        table.handle(\.cameras.rename, with: renameCamera)
        table.handle(\.cameras.ignore, with: ignoreCamera)
        table.handle(\.cameras.forget, with: forgetCamera)
        table.handle(\.cameras.trigger) { [self] id throws(ControlError) in try await trigger(camera: id) }
        table.handle(\.cameras.triggerAll) { [self] () throws(ControlError) in try await trigger(camera: nil)
        }
        table.handle(\.cameras.makers, with: makers)
        table.handle(\.cameras.discover, with: discover)
        table.handle(\.captures.list, with: captures)
        table.handle(\.captures.get, with: capture)
        table.handle(\.sessions.list, with: sessions)
        table.handle(\.sessions.start, with: startSession)
        table.handle(\.sessions.stop, with: stopSession)
        table.handle(\.sessions.testTemplate, with: testTemplate)
        attachUploadAnswers(to: &table)
        more(&table)
    }

    /// Changes the script.
    public func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }

    /// The calls so far, as text.
    public var calls: [String] { script.withLock { $0.calls } }

    func record(_ call: String) throws(ControlError) -> Script {
        let now = script.withLock { script in
            script.calls.append(call)
            return script
        }
        if let failure = now.failure { throw failure }
        return now
    }

    /// Returns the script's status.
    public func status() async throws(ControlError) -> StatusReply { try record("status").status }

    /// Returns the cameras of the status.
    public func cameras() async throws(ControlError) -> CamerasReply {
        CamerasReply(cameras: try record("cameras").status.cameras)
    }

    /// Returns one camera of the status.
    public func camera(_ camera: CameraReference) async throws(ControlError) -> CameraReply {
        guard
            let found = try record("camera \(camera)").status.cameras.first(where: { $0.matches(camera) })
        else {
            throw ControlError(.notFound, "cannot find camera '\(camera)'")
        }
        return found
    }

    /// Adds a camera with the requested name and address to the script.
    public func addCamera(_ request: CameraAddRequest) async throws(ControlError) -> CameraReply {
        _ = try record("addCamera \(request.address)")
        let name = request.name ?? "camera"
        let camera = CameraReply(
            id: CameraID(rawValue: name), name: name, port: request.address, state: .connecting)
        script.withLock { $0.status.cameras.append(camera) }
        return camera
    }

    /// Renames the camera and returns it.
    public func renameCamera(
        _ camera: CameraReference, _ request: CameraRenameRequest
    ) async throws(ControlError) -> CameraReply {
        let name = request.name
        return try changeCamera(camera, "renameCamera \(camera) \(name)") { $0.name = name }
    }

    /// Ignores the camera, or stops ignoring it, and returns it.
    public func ignoreCamera(
        _ camera: CameraReference, _ request: CameraIgnoreRequest
    ) async throws(ControlError) -> CameraReply {
        let isIgnored = request.ignored
        return try changeCamera(camera, "ignoreCamera \(camera) \(isIgnored)") { $0.isIgnored = isIgnored }
    }

    private func changeCamera(
        _ camera: CameraReference, _ call: String, _ body: (inout CameraReply) -> Void
    ) throws(ControlError) -> CameraReply {
        guard let index = try record(call).status.cameras.firstIndex(where: { $0.matches(camera) }) else {
            throw ControlError(.notFound, "cannot find camera '\(camera)'")
        }
        return script.withLock { script in
            body(&script.status.cameras[index])
            return script.status.cameras[index]
        }
    }

    /// Removes the camera and returns the other cameras.
    public func forgetCamera(_ camera: CameraReference) async throws(ControlError) -> CamerasReply {
        guard try record("forgetCamera \(camera)").status.cameras.contains(where: { $0.matches(camera) })
        else {
            throw ControlError(.notFound, "cannot find camera '\(camera)'")
        }
        return script.withLock { script in
            script.status.cameras.removeAll { $0.matches(camera) }
            return CamerasReply(cameras: script.status.cameras)
        }
    }

    /// Returns the makers.
    public func makers() async throws(ControlError) -> MakersReply {
        MakersReply(makers: try record("makers").makers)
    }

    /// Returns the result of a discovery.
    public func discover(_ request: DiscoveryRequest) async throws(ControlError) -> DiscoveryReply {
        try record("discover \(request.maker ?? "all")").discovery
    }

    /// Returns metrics with one value.
    public func metrics() async throws(ControlError) -> MetricsText {
        _ = try record("metrics")
        return Samples.metrics
    }

    /// Returns the diagnosis.
    public func diagnosis() async throws(ControlError) -> DiagnosisReply { try record("diagnosis").diagnosis }

    /// Returns a page of photos. The cursor is the last ID of the previous page.
    public func captures(_ query: CapturesQuery) async throws(ControlError) -> CapturesReply {
        let now = try record("captures")
        if let failure = now.captureFailure { throw failure }
        let all = now.captures.filter { capture in
            query.cursor.flatMap { Int64($0) }.map { capture.id.rawValue < $0 } ?? true
                && query.session.map { capture.session == $0 } ?? true
                && query.camera.map { $0.matches(capture.cameraID, capture.cameraName) } ?? true
                && query.state.map { capture.$state == $0 } ?? true
        }
        let page = Array(all.prefix(query.limit))
        return CapturesReply(
            captures: page, nextCursor: all.count > page.count ? page.last.map { $0.id.description } : nil)
    }

    /// Returns one photo.
    public func capture(id: CaptureID) async throws(ControlError) -> CaptureReply {
        guard let capture = try record("capture \(id)").captures.first(where: { $0.id == id }) else {
            throw ControlError(.notFound, "cannot find a photo with id '\(id)'")
        }
        return capture
    }

    /// Returns the current session.
    public func sessions(_ query: SessionsQuery) async throws(ControlError) -> SessionsReply {
        SessionsReply(sessions: try record("sessions \(query.limit)").status.session.map { [$0] } ?? [])
    }

    /// Starts a session with the requested name.
    public func startSession(_ request: SessionStartRequest) async throws(ControlError) -> SessionReply {
        let now = try record("startSession \(request.name)")
        let session = SessionReply(
            id: 2, name: request.name, startedAt: Samples.time,
            uploadMode: request.uploadMode?.known ?? .realtime,
            keep: request.keep, applied: now.sessionSettings)
        script.withLock { $0.status.session = session }
        return session
    }

    /// Ends the current session.
    public func stopSession() async throws(ControlError) -> SessionReply {
        guard var session = try record("stopSession").status.session else {
            throw ControlError(.conflict, "cannot stop a session: none is running")
        }
        session.endedAt = Samples.time
        script.withLock { $0.status.session = nil }
        return session
    }

    /// Returns the conditions of the status.
    public func conditions() async throws(ControlError) -> ConditionsReply {
        ConditionsReply(conditions: try record("conditions").status.conditions)
    }

    /// Triggers the camera, or all cameras if `camera` is `nil`.
    public func trigger(camera: CameraReference?) async throws(ControlError) -> TriggerReply {
        let cameras = try record("trigger \(camera?.rawValue ?? "all")").status.cameras
        return TriggerReply(triggered: cameras.filter { one in camera.map(one.matches) ?? true }.map(\.name))
    }

    /// Returns the template with numbers appended.
    public func testTemplate(_ request: TemplateTestRequest) async throws(ControlError) -> TemplateTestReply {
        let (template, count) = (request.template, request.count ?? TemplateTestRequest.countDefault)
        _ = try record("testTemplate \(count)")
        return TemplateTestReply(template: template, names: (1...count).map { "\(template)-\($0)" })
    }
}

extension CameraReply {
    /// Returns whether the reference is the camera's ID or name.
    fileprivate func matches(_ camera: CameraReference) -> Bool { camera.matches(id, name) }
}

extension CameraReference {
    /// Returns whether the reference is this ID or this name.
    func matches(_ id: CameraID, _ name: String) -> Bool { self == CameraReference(id) || rawValue == name }
}
