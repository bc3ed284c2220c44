import FrameFastSystem
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

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
    let respond: Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(PeerError.notASocket)
        }
        let peer: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: PeerCredentials.socketLevel),
            name: NIOBSDSocket.Option(rawValue: PeerCredentials.socketOption))
        return peer.flatMap { peer in
            http(grant: .none).setup(channel: channel, logger: logger).map { Value(http: $0, peer: peer) }
        }
    }

    func handle(value: Value, logger: Logger) async {
        let grant = await grant(to: value.peer)
        await http(grant: grant).handle(value: value.http, logger: logger)
    }

    /// The user database may block, so it is asked on NIO's thread pool.
    private func grant(to peer: PeerCredentials) async -> AccessPolicy.Grant {
        let decided = try? await NIOThreadPool.singleton.runIfActive {
            policy.grant(to: peer) { UserDatabase.groups(ofUser: peer.uid, primaryGroup: peer.gid) }
        }
        return decided ?? .none
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
