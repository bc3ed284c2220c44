public import FoundationEssentials
public import FrameFastAPI

extension FrameFastClient {
    /// Version of the daemon.
    public func version() throws(ClientError) -> Answer<VersionReply> { try call(.version) }

    /// Everything at a glance.
    public func status() throws(ClientError) -> Answer<StatusReply> { try call(.status) }

    /// What needs to be known, worst first.
    public func conditions() throws(ClientError) -> Answer<ConditionsReply> { try call(.conditions) }

    /// All cameras.
    public func cameras() throws(ClientError) -> Answer<CamerasReply> { try call(.cameras) }

    /// One camera.
    public func camera(id: String) throws(ClientError) -> Answer<CameraReply> { try call(.camera, id) }

    /// Keeps a camera on the network connected.
    public func addCamera(_ request: CameraAddRequest) throws(ClientError) -> Answer<CameraReply> {
        try call(.cameraAdd, body: request)
    }

    /// Calls a camera something else.
    public func renameCamera(id: String, to name: String) throws(ClientError) -> Answer<CameraReply> {
        try call(.cameraRename, id, body: CameraRenameRequest(name: name))
    }

    /// Leaves a camera alone, or uses it again.
    public func ignoreCamera(id: String, _ isIgnored: Bool) throws(ClientError) -> Answer<CameraReply> {
        try call(.cameraIgnore, id, body: CameraIgnoreRequest(ignored: isIgnored))
    }

    /// Forgets a camera that is not there; gives the others.
    public func forgetCamera(id: String) throws(ClientError) -> Answer<CamerasReply> {
        try call(.cameraForget, id)
    }

    /// The manufacturer picker, detected makers first.
    public func makers() throws(ClientError) -> Answer<MakersReply> { try call(.makers) }

    /// Looks for cameras on the network.
    ///
    /// It takes up to ``searchTimeoutSeconds`` where something drips its answers.
    public func discover(_ request: DiscoveryRequest) throws(ClientError) -> Answer<DiscoveryReply> {
        var patient = self
        patient.timeoutSeconds = max(timeoutSeconds, Self.searchTimeoutSeconds)
        return try patient.call(.discover, body: request)
    }

    /// What is wrong here, worst first.
    public func diagnosis() throws(ClientError) -> Answer<DiagnosisReply> { try call(.diagnosis) }

    /// A page of photos, newest first.
    public func captures(_ query: CapturesQuery = .init()) throws(ClientError) -> Answer<CapturesReply> {
        var pairs = [(name: "limit", value: String(query.limit))]
        if let cursor = query.cursor { pairs.append(("cursor", cursor)) }
        if let session = query.session { pairs.append(("session", String(session))) }
        if let camera = query.camera { pairs.append(("camera", camera)) }
        if let state = query.state { pairs.append(("state", state.rawValue)) }
        return try call(.captures, query: pairs)
    }

    /// One photo.
    public func capture(id: Int64) throws(ClientError) -> Answer<CaptureReply> {
        try call(.capture, String(id))
    }

    /// Reads a photo once more that was set aside.
    public func retryCapture(id: Int64) throws(ClientError) -> Answer<CaptureReply> {
        try call(.captureRetry, String(id))
    }

    /// Sessions, newest first.
    public func sessions(limit: Int? = nil) throws(ClientError) -> Answer<SessionsReply> {
        try call(.sessions, query: limit.map { [("limit", String($0))] } ?? [])
    }

    /// Starts a session, stopping the running one.
    public func startSession(
        name: String, uploadMode: SessionReply.UploadMode? = nil, keep: String? = nil
    ) throws(ClientError) -> Answer<SessionReply> {
        try call(.sessionStart, body: SessionStartRequest(name: name, uploadMode: uploadMode, keep: keep))
    }

    /// Stops the running session.
    public func stopSession() throws(ClientError) -> Answer<SessionReply> { try call(.sessionStop) }

    /// Releases the shutter of one camera, or of every ready one.
    public func trigger(camera: String? = nil) throws(ClientError) -> Answer<TriggerReply> {
        if let camera { try call(.trigger, camera) } else { try call(.triggerAll) }
    }

    /// The next names that a template would give.
    public func testTemplate(_ template: String, count: Int? = nil) throws(ClientError) -> Answer<
        TemplateTestReply
    > {
        try call(.templateTest, body: TemplateTestRequest(template: template, count: count))
    }

    /// The interface's own description.
    public func openAPIDocument() throws(ClientError) -> Data { try fetch(.openapi) }

    /// Follows events, blocking, until `handle` says false or the daemon ends the stream.
    ///
    /// - Parameter handle: Gets each event as it came; its data is one ``EventReply`` in JSON.
    public func events(_ handle: (ServerSentEvent) throws(ClientError) -> Bool) throws(ClientError) {
        var parser = ServerSentEventParser()
        var status = 0
        var errorBody = Data()
        try exchange(.events, timeoutSeconds: Self.streamTimeoutSeconds) { part throws(ClientError) in
            switch part {
            case .head(let head): status = head.status
            case .body(let bytes) where status != 200: errorBody.append(contentsOf: bytes)
            case .body(let bytes):
                let events: [ServerSentEvent]
                do { events = try parser.feed(bytes) } catch {
                    throw .notUnderstood("an event line too long")
                }
                for event in events where try !handle(event) { return false }
            case .end:
                try Self.check(status: status, body: errorBody)
                return false
            }
            return true
        }
    }
}
