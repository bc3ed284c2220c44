public import FrameFastAPI

/// The daemon's handlers of API requests. The server authorizes and decodes a request, calls its handler, and
/// encodes the reply.
///
/// The implementer limits the duration of every request. The server sets no timeout.
public protocol ControlSurface: Sendable {
    /// Attaches the daemon's handlers to their endpoints.
    func attachHandlers(to table: inout EndpointTable)
    /// Returns the state of the whole daemon. Event streams also send this state as their snapshot. The state
    /// must therefore contain every change that was published before the call.
    func status() async throws(ControlError) -> StatusReply
    /// Returns metrics for Prometheus, which requests them every few seconds.
    func metrics() async throws(ControlError) -> MetricsText
}
