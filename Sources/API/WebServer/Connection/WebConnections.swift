import Identities
import NIOCore
import Synchronization

/// The open connections of each device. When a device loses access, its connections are closed, for example a
/// running live view.
final class WebConnections: Sendable {
    private struct Entry: Sendable {
        let channel: any Channel
        var device: WebDeviceID
    }

    /// The time between the loss of access and the end of the connections. The server sends the reply to a
    /// logout request in this time.
    private static let closingDelay = TimeAmount.seconds(1)

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The devices that lost access. Their ids are never reused.
        var ended: Set<WebDeviceID> = []
    }

    /// The limit on connections, which prefers connections of paired devices.
    let limiter = WebConnectionLimiter()
    private let state = Mutex(State())

    /// Records that a device uses a connection. Closes the connection if the device lost access after its
    /// request was accepted.
    func assign(_ channel: any Channel, to device: WebDeviceID) {
        let key = ObjectIdentifier(channel)
        let (isNew, hasEnded) = state.withLock { state in
            let old = state.entries.updateValue(Entry(channel: channel, device: device), forKey: key)
            return (old == nil, state.ended.contains(device))
        }
        limiter.markPaired(channel)
        if isNew { channel.closeFuture.whenComplete { _ in self.remove(key) } }
        if hasEnded { close(channel, of: device) }
    }

    /// Closes the connections of a device after a short delay, except connections that another device uses by
    /// then.
    func close(_ device: WebDeviceID) {
        let channels = state.withLock { state in
            state.ended.insert(device)
            return state.entries.values.filter { $0.device == device }.map(\.channel)
        }
        for channel in channels { close(channel, of: device) }
    }

    private func close(_ channel: any Channel, of device: WebDeviceID) {
        channel.eventLoop.scheduleTask(in: Self.closingDelay) {
            if self.isAssigned(ObjectIdentifier(channel), to: device) { channel.close(promise: nil) }
        }
    }

    private func isAssigned(_ key: ObjectIdentifier, to device: WebDeviceID) -> Bool {
        state.withLock { $0.entries[key]?.device == device }
    }

    private func remove(_ key: ObjectIdentifier) {
        state.withLock { _ = $0.entries.removeValue(forKey: key) }
    }
}
