/// Endpoints for sessions and the names of their photos.
public struct SessionEndpoints: Sendable {
    /// Lists sessions, newest first.
    public let list = Endpoint<NoPath, SessionsQuery, SessionsReply>(
        .get, "/sessions", .read, "Sessions, newest first")
    /// Starts a session.
    public let start = Endpoint<NoPath, SessionStartRequest, SessionReply>(
        .post, "/sessions", .control, "Stop the running session, and start a session", status: 201,
        errors: [.notFound, .invalid], timeoutSeconds: CameraTimeout.settingsSeconds)
    /// Stops the running session.
    public let stop = Endpoint<NoPath, NoInput, SessionReply>(
        .post, "/sessions/stop", .control, "Stop the running session", errors: [.conflict],
        timeoutSeconds: CameraTimeout.settingsSeconds)
    /// Changes how long a session's photos are kept on this computer.
    public let keep = Endpoint<SessionID, SessionKeepRequest, SessionReply>(
        .post, "/sessions/{id}/keep", .control, "Change how long a session's photos are kept here",
        subject: "session", errors: [.invalid])
    /// Returns the next names that a naming template would produce.
    public let testTemplate = Endpoint<NoPath, TemplateTestRequest, TemplateTestReply>(
        .post, "/template/test", .read, "Preview of the names from a naming template",
        errors: [.invalid])
}
