import APIServer
import Identities
import Synchronization

/// The open event streams of each device, oldest first. A stream that exceeds the limit of its device ends
/// the oldest one.
///
/// Each window has a stream. A browser that lost its network opens a new stream before the server notices
/// that the old one is dead.
final class WebStreams: Sendable {
    private struct Entry {
        weak var reader: EventReader?
    }

    private let entries = Mutex<[WebDeviceID: [Entry]]>([:])

    /// Registers a stream of a device. If the device has too many streams, ends the oldest one.
    func register(_ reader: EventReader, for device: WebDeviceID) {
        let oldest = entries.withLock { entries -> EventReader? in
            var open = entries[device, default: []].filter { $0.reader != nil }
            open.append(Entry(reader: reader))
            let isOverLimit = open.count > WebServerLimits.streamsPerDeviceMax
            let oldest = isOverLimit ? open.removeFirst().reader : nil
            entries[device] = open
            return oldest
        }
        oldest?.finish()
    }

    /// Ends the streams of a device.
    func finish(_ device: WebDeviceID) {
        let readers = entries.withLock { entries in
            (entries.removeValue(forKey: device) ?? []).compactMap { $0.reader }
        }
        for reader in readers { reader.finish() }
    }

    /// Ends all streams.
    func finishAll() {
        let readers = entries.withLock { entries in
            defer { entries = [:] }
            return entries.values.joined().compactMap { $0.reader }
        }
        for reader in readers { reader.finish() }
    }
}
