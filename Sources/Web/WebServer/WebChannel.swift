import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// HTTP/1.1 with where each connection comes from, and so many of them for one address.
struct WebChannel: ServerChildChannel {
    typealias Responder = @Sendable (Request, WebResponder.Origin) async -> Response

    /// A connection, and whether it is one of those that its address may hold; else it is closed at once.
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let origin: WebResponder.Origin
        let hasRoom: Bool
        var channel: any Channel { http.channel }
    }

    let shares: AddressShares
    let respond: Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let origin = WebResponder.Origin(remote: channel.remoteAddress, local: channel.localAddress)
        let address = origin.remote.map(WebHosts.text) ?? ""
        let hasRoom = shares.enter(address)
        if hasRoom { channel.closeFuture.whenComplete { _ in shares.leave(address) } }
        return http(origin).setup(channel: channel, logger: logger).map {
            Value(http: $0, origin: origin, hasRoom: hasRoom)
        }
    }

    func handle(value: Value, logger: Logger) async {
        // What is set up must be handled: a connection that is closed ends that in a moment.
        if !value.hasRoom { value.channel.close(promise: nil) }
        await http(value.origin).handle(value: value.http, logger: logger)
    }

    private func http(_ origin: WebResponder.Origin) -> HTTP1Channel {
        HTTP1Channel(
            responder: { request, writer, _ in
                let response = await respond(request, origin)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: .init(
                idleTimeout: WebService.Limits.idle,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: WebService.Limits.headerBytes,
                    maxHeaderListSize: WebService.Limits.headerBytes,
                    maxHeaderFieldCount: WebService.Limits.headers)))
    }
}

/// Connections that are open, by address.
final class AddressShares: Sendable {
    private let max: Int
    private let open = Mutex<[String: Int]>([:])

    init(max: Int) { self.max = max }

    func enter(_ address: String) -> Bool {
        open.withLock { open in
            guard open[address, default: 0] < max else { return false }
            open[address, default: 0] += 1
            return true
        }
    }

    func leave(_ address: String) {
        open.withLock { open in
            let left = open[address, default: 0] - 1
            open[address] = left > 0 ? left : nil
        }
    }
}
