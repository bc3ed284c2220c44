import APIServer
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// An HTTP/1.1 channel of the page, with or without TLS. Before the channel reads a byte, it refuses global
/// addresses and too many connections.
struct WebChannel: ServerChildChannel {
    typealias Responder = @Sendable (Request, WebPeer, any Channel) async -> Response

    /// A connection and the addresses of its two ends.
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        /// The addresses, or `nil` for a connection that the server closes without a reply.
        let peer: WebPeer?
        var channel: any Channel { http.channel }
    }

    /// The option with the longest time without an acknowledgement of sent data, in milliseconds.
    static let lossOption = NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)

    /// The certificate for new connections, or `nil` without TLS.
    let certificate: CurrentCertificate?
    let limiter: WebConnectionLimiter
    let respond: Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture { () -> WebPeer? in
            guard let peer = admittedPeer(of: channel) else { return nil }
            try channel.syncOptions?.setOption(
                .tcpOption(Self.lossOption), value: WebServerLimits.lostAfterMs)
            let pipeline = channel.pipeline.syncOperations
            // This handler must be the first, because `WebConnectionLimiter` closes connections through it.
            try pipeline.addHandler(SlowReaderHandler())
            if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
            return peer
        }.flatMap { (peer: WebPeer?) in
            http(peer, logger).setup(channel: channel, logger: logger).map { Value(http: $0, peer: peer) }
        }
    }

    func handle(value: Value, logger: Logger) async {
        // Every channel that was set up must be handled. A closed connection ends the handler immediately.
        if value.peer == nil { value.channel.close(promise: nil) }
        await http(value.peer, logger).handle(value: value.http, logger: logger)
    }

    /// Returns the addresses of a new connection, and counts the connection. Returns `nil` if the server
    /// refuses the connection.
    private func admittedPeer(of channel: any Channel) -> WebPeer? {
        guard let remote = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }),
            let local = channel.localAddress?.ipAddress.flatMap({ IPAddress($0) })
        else { return nil }
        let peer = WebPeer(remote: remote, local: local, isEncrypted: certificate != nil)
        return peer.isAllowed && limiter.admit(channel, of: remote) ? peer : nil
    }

    private func http(_ peer: WebPeer?, _ logger: Logger) -> HTTP1Channel {
        HTTP1Channel(
            responder: { request, writer, channel in
                guard let peer else { return }
                limiter.startRequest(on: channel)
                defer { limiter.finishRequest(on: channel) }
                let response = await respond(request, peer, channel)
                try await writer.write(response, to: request, on: channel, logger: logger)
            },
            configuration: .init(
                additionalChannelHandlers: [
                    RequestLimitHandler(
                        requestTime: WebServerLimits.requestTime, addHeaders: PageHeaders.add(to:))
                ],
                idleTimeout: WebServerLimits.idleTimeout,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: WebServerLimits.headerBytesMax,
                    maxHeaderListSize: WebServerLimits.headerBytesMax,
                    maxHeaderFieldCount: WebServerLimits.headersMax)))
    }
}
