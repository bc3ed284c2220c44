import FrameFastSystem
import HummingbirdCore
import Logging
import NIOCore

/// HTTP/1.1 on a Unix socket with the peer's grant found once a connection.
struct PeerChannel: ServerChildChannel {
    typealias Responder = @Sendable (Request, AccessPolicy.Grant) async -> Response

    /// A connection and who is at its other end.
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let peer: PeerCredentials
        var channel: any Channel { http.channel }
    }

    let policy: AccessPolicy
    let guests: GuestShares
    /// Told of a peer that is refused, or may look only.
    let onRefusal: @Sendable (PeerCredentials) -> Void
    let respond: Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = channel.eventLoop.submit {
            let peer = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { try PeerCredentials(ofPeerAt: $0) }
            guard let peer else { throw PeerError.notASocket }
            return peer
        }
        return peer.flatMapThrowing { peer in
            guard policy.grant(to: peer) != .control else { return peer }
            guard guests.enter(peer.uid) else { throw PeerError.tooMany }
            channel.closeFuture.whenComplete { _ in guests.leave(peer.uid) }
            return peer
        }.flatMap { peer in
            http(grant: .none).setup(channel: channel, logger: logger).map { Value(http: $0, peer: peer) }
        }
    }

    func handle(value: Value, logger: Logger) async {
        let grant = policy.grant(to: value.peer)
        if grant != .control { onRefusal(value.peer) }
        await http(grant: grant).handle(value: value.http, logger: logger)
    }

    private func http(grant: AccessPolicy.Grant) -> HTTP1Channel {
        HTTP1Channel(
            responder: { request, writer, _ in
                let response = await respond(request, grant)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: .init(
                idleTimeout: APIServerLimits.idleTimeout,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: APIServerLimits.headerBytesMax,
                    maxHeaderListSize: APIServerLimits.headerBytesMax,
                    maxHeaderFieldCount: APIServerLimits.headersMax)))
    }
}

/// Why a connection is not served.
enum PeerError: Error {
    case notASocket
    /// A user who may only look holds all the connections that are for such users.
    case tooMany
}
