import NIOCore
import Synchronization

/// The limit on open connections, in total and for each address. ``WebConnectionTable`` contains the rules.
final class WebConnectionLimiter: Sendable {
    private struct State {
        var table = WebConnectionTable<ObjectIdentifier>()
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let state = Mutex(State())

    /// Counts a connection until it is closed. May close another connection instead of refusing this
    /// connection.
    ///
    /// - Returns: Whether the connection is admitted.
    func admit(_ channel: any Channel, of address: IPAddress) -> Bool {
        let id = ObjectIdentifier(channel)
        let (isAdmitted, dropped) = state.withLock { state -> (Bool, (any Channel)?) in
            switch state.table.add(id, of: address) {
            case .refused: return (false, nil)
            case .admitted:
                state.channels[id] = channel
                return (true, nil)
            case .admittedInsteadOf(let other):
                state.channels[id] = channel
                return (true, state.channels.removeValue(forKey: other))
            }
        }
        if let dropped { Self.drop(dropped) }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                state.table.remove(id)
                state.channels[id] = nil
            }
        }
        return true
    }

    /// Closes a connection immediately. The usual close of TLS waits for the device's response. Without a
    /// response, any number of dropped connections would stay open for seconds.
    private static func drop(_ channel: any Channel) {
        channel.eventLoop.execute {
            // A close that starts at this handler bypasses TLS.
            let first = try? channel.pipeline.syncOperations.context(handlerType: SlowReaderHandler.self)
            if let first { first.close(promise: nil) } else { channel.close(promise: nil) }
        }
    }

    /// Records that a paired device uses a connection.
    func markPaired(_ channel: any Channel) {
        state.withLock { $0.table.markPaired(ObjectIdentifier(channel)) }
    }

    /// Records the start of a request.
    func startRequest(on channel: any Channel) {
        state.withLock { $0.table.startRequest(ObjectIdentifier(channel)) }
    }

    /// Records that the reply to a request is complete.
    func finishRequest(on channel: any Channel) {
        state.withLock { $0.table.finishRequest(ObjectIdentifier(channel)) }
    }
}
