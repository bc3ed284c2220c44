public import FrameFastAPI

/// The daemon's handlers of API requests. The server authorises, decodes, calls the attached handler, and
/// encodes.
///
/// The implementer limits the time of every answer. The server sets no timeout.
public protocol ControlSurface: Sendable {
    /// Attaches the handlers that the daemon has to their endpoints.
    func attachHandlers(to table: inout EndpointTable)
    /// Returns the state of the whole daemon. The result is also the snapshot of event streams, so it must
    /// contain every change that was published before the call.
    func status() async throws(ControlError) -> StatusReply
    /// Returns metrics for Prometheus, which requests them every few seconds.
    func metrics() async throws(ControlError) -> MetricsText
}
