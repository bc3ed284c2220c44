import FrameFastSystem
import HummingbirdCore
import Logging
import NIOCore

/// An HTTP/1.1 channel on a Unix socket, which determines the peer's grant for each connection, not
/// for each request.
struct PeerChannel: ServerChildChannel {
    typealias Responder = @Sendable (Request, AccessPolicy.Grant) async -> Response

    /// A connection and the credentials of its peer.
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let peer: PeerCredentials
        /// Whether the peer's user is within the connection limit. The server closes a connection that
        /// exceeds the limit.
        let isAdmitted: Bool
        var channel: any Channel { http.channel }
    }

    let policy: AccessPolicy
    let limiter: ReadOnlyConnectionLimiter
    /// Called with each peer that may only read or has no access.
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
            let isAdmitted = !isGuest || limiter.reserve(for: peer.uid)
            if isGuest, isAdmitted {
                channel.closeFuture.whenComplete { _ in limiter.release(for: peer.uid) }
            }
            return http(grant: .none, caller: nil, logger).setup(channel: channel, logger: logger).map {
                Value(http: $0, peer: peer, isAdmitted: isAdmitted)
            }
        }
    }

    func handle(value: Value, logger: Logger) async {
        // Every channel that was set up must be handled. A closed connection ends the handler immediately.
        if !value.isAdmitted { value.channel.close(promise: nil) }
        let grant = policy.grant(to: value.peer)
        if grant != .control { onRefusal(value.peer) }
        let caller = RequestCaller(value.peer, grant: grant)
        await http(grant: grant, caller: caller, logger).handle(value: value.http, logger: logger)
    }

    private func http(
        grant: AccessPolicy.Grant, caller: RequestCaller?, _ logger: Logger
    ) -> HTTP1Channel {
        HTTP1Channel(
            responder: { request, writer, channel in
                let response = await RequestCaller.$current.withValue(caller) {
                    await respond(request, grant)
                }
                try await writer.write(response, to: request, on: channel, logger: logger)
            },
            configuration: APIServerLimits.connection)
    }
}

/// A reason why a connection is not served.
enum PeerError: Error {
    case notASocket
}
