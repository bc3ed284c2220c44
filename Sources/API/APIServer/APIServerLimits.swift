import HummingbirdCore
import NIOCore

/// The limits of the API server and of the metrics port for connections, requests and times.
enum APIServerLimits {
    /// The maximum number of open connections: all streams that the hub allows, and the same number of short
    /// calls.
    static let connectionsMax = EventHub.readersMax * 2
    /// The maximum number of open connections to the metrics port. A collector needs one connection.
    static let metricsConnectionsMax = 8
    /// The number of new connections that the kernel queues while the server is at its connection limit.
    static let backlog = 64
    /// The maximum size of all headers of one request, in bytes. FrameFast's own clients send about 160
    /// bytes.
    static let headerBytesMax = 16 * 1024
    /// The maximum number of headers of one request.
    static let headersMax = 64
    /// The largest request body, in bytes. For example, 1,000 ids or 200 steps of a ramp take about 8 kB.
    static let bodyBytesMax = 16 * 1024
    /// The time after which the server closes a connection that is idle.
    static let idleTimeout = TimeAmount.seconds(60)
    /// The longest time between the head and the end of a request. ``idleTimeout`` alone is not enough,
    /// because each part of a body restarts it, even while the server discards a refused body.
    static let requestTime = TimeAmount.seconds(30)
    /// The interval of heartbeats on a quiet stream.
    static let heartbeat = Duration.seconds(15)
    /// The grace period for requests in progress after a graceful stop.
    static let stopGrace = Duration.seconds(3)

    /// The limits of each connection to the socket or to the metrics port.
    static var connection: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestLimitHandler(requestTime: requestTime)],
            idleTimeout: idleTimeout,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: headerBytesMax, maxHeaderListSize: headerBytesMax,
                maxHeaderFieldCount: headersMax))
    }
}
