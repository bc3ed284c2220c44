public import FrameFastAPI

/// What the daemon lets the socket do. The server only authorises, decodes, calls this, and encodes.
///
/// Every call is bounded in time by its implementer; the server does not time it.
public protocol ControlSurface: UploadSurface {
    /// Version of the daemon.
    var version: String { get }

    /// Everything at a glance. Also the snapshot of event streams: it must contain every change that was
    /// published before the call.
    func status() async throws(ControlError) -> StatusReply
    /// Figures for Prometheus. Asked every few seconds.
    func metrics() async throws(ControlError) -> MetricsText
    /// All cameras.
    func cameras() async throws(ControlError) -> [CameraReply]
    /// One camera; throws `not_found`.
    func camera(id: String) async throws(ControlError) -> CameraReply
    /// Keeps a camera on the network connected from now on; throws `invalid` for a bad address, `conflict` for one
    /// that is known already.
    func addCamera(_ request: CameraAddRequest) async throws(ControlError) -> CameraReply
    /// Calls a camera something else; throws `not_found`, and `conflict` for a name that is taken or configured.
    ///
    /// - Parameter name: 1...``CameraRenameRequest/nameLengthMax`` characters.
    func renameCamera(id: String, to name: String) async throws(ControlError) -> CameraReply
    /// Leaves a camera alone, or uses it again; throws `not_found`.
    func ignoreCamera(id: String, _ isIgnored: Bool) async throws(ControlError) -> CameraReply
    /// Forgets a camera and gives the others; throws `not_found`, and `conflict` when it is there or configured.
    func forgetCamera(id: String) async throws(ControlError) -> [CameraReply]
    /// The manufacturer picker, detected makers first.
    func makers() async throws(ControlError) -> [MakerReply]
    /// Looks for cameras on the network; throws `invalid` for an unknown maker or a bad address.
    func discover(_ request: DiscoveryRequest) async throws(ControlError) -> DiscoveryReply
    /// What is wrong here, worst first.
    func diagnosis() async throws(ControlError) -> DiagnosisReply
    /// A page of photos, newest first. The limit is within bounds; the cursor is this method's own, unchecked.
    func captures(_ query: CapturesQuery) async throws(ControlError) -> CapturesReply
    /// One photo; throws `not_found`.
    func capture(id: Int64) async throws(ControlError) -> CaptureReply
    /// Reads a photo once more that was set aside; throws `not_found`, and `conflict` when it is not set aside.
    func retryCapture(id: Int64) async throws(ControlError) -> CaptureReply
    /// Sessions, newest first.
    ///
    /// - Parameter limit: 1...``SessionsReply/limitMax``.
    func sessions(limit: Int) async throws(ControlError) -> [SessionReply]
    /// Starts a session, stopping the running one; throws `invalid` for a `keep` that is no rule. The name is not
    /// empty and not over its limit.
    func startSession(_ request: SessionStartRequest) async throws(ControlError) -> SessionReply
    /// Stops the running session and returns it; throws `conflict` when there is none.
    func stopSession() async throws(ControlError) -> SessionReply
    /// What needs to be known, worst first.
    func conditions() async throws(ControlError) -> [ConditionReply]
    /// Releases the shutter.
    ///
    /// - Parameter camera: Id of the camera, `nil` for every ready one.
    /// - Throws: `not_found`, `conflict` (camera away, or none is ready), `unsupported`, `camera_failed`.
    func trigger(camera: String?) async throws(ControlError) -> TriggerReply
    /// The next `count` names that a template would give; throws `invalid` with what is wrong in it.
    func testTemplate(_ template: String, count: Int) async throws(ControlError) -> TemplateTestReply
}

/// Why the daemon does not do what was asked, in the terms of the wire.
public struct ControlError: Error, Hashable, Sendable {
    /// For programs.
    public var code: ErrorReply.Code
    /// For people: lower case, "cannot …", no full stop.
    public var message: String
    /// What the person can do; `nil` when there is nothing to do.
    public var nextStep: String?

    /// Creates an error.
    public init(_ code: ErrorReply.Code, _ message: String, nextStep: String? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }
}
