import FrameFastAPI
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
        /// Whether it is one of those connections that this user may hold; else it is closed at once.
        let hasRoom: Bool
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
        return peer.flatMap { peer in
            let isGuest = policy.grant(to: peer) != .control
            let hasRoom = !isGuest || guests.enter(peer.uid)
            if isGuest, hasRoom { channel.closeFuture.whenComplete { _ in guests.leave(peer.uid) } }
            return http(grant: .none).setup(channel: channel, logger: logger).map {
                Value(http: $0, peer: peer, hasRoom: hasRoom)
            }
        }
    }

    func handle(value: Value, logger: Logger) async {
        // What is set up must be handled: a connection that is closed ends that in a moment.
        if !value.hasRoom { value.channel.close(promise: nil) }
        let grant = policy.grant(to: value.peer)
        if grant != .control { onRefusal(value.peer) }
        await Asker.$current.withValue(Asker(user: value.peer.uid)) {
            await http(grant: grant).handle(value: value.http, logger: logger)
        }
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
}
