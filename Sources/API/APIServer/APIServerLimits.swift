import NIOCore

/// Every bound of the server, in one place.
enum APIServerLimits {
    /// Open connections: every stream that the hub allows, and as many short calls.
    static let connectionsMax = EventHub.readersMax * 2
    /// Open connections to the port for metrics: a collector needs one.
    static let metricsConnectionsMax = 8
    /// Connections that the kernel keeps while we are at the bound.
    static let backlog = 64
    /// All headers of one request: a hundred times what our clients send.
    static let headerBytesMax = 16 * 1024
    /// Headers of one request.
    static let headersMax = 64
    /// Body of one request: the longest selects uploads by a thousand numbers and 250 photos, of twenty digits each.
    static let bodyBytesMax = 32 * 1024
    /// A connection without a request in progress, or with one that does not arrive, is closed after this.
    static let idleTimeout = TimeAmount.seconds(60)
    /// A quiet stream is shown to be alive this often.
    static let heartbeat = Duration.seconds(15)
    /// After a graceful stop, requests in progress get this long.
    static let stopGrace = Duration.seconds(3)
}
