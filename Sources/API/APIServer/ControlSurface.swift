public import FrameFastAPI

/// What the daemon lets the socket do. The server authorises, decodes, asks what is attached, and encodes.
///
/// Every answer is bounded in time by its implementer; the server does not time it.
public protocol ControlSurface: Sendable {
    /// Attaches an answer to each endpoint that it has one for.
    func attach(to table: inout EndpointTable)
    /// Everything at a glance. Also the snapshot of event streams: it must contain every change that was
    /// published before the call.
    func status() async throws(ControlError) -> StatusReply
    /// Metrics for Prometheus. Asked every few seconds.
    func metrics() async throws(ControlError) -> MetricsText
}
