import APIServer
import Identities
import Synchronization
import WebPairing

/// The open event streams, one for each device. A newer stream of a device ends the older one.
///
/// A browser that lost its network opens a new stream before the server notices that the old one is dead.
final class WebStreams: Sendable {
    private struct Entry {
        weak var reader: EventReader?
    }

    private let entries = Mutex<[WebDeviceID: Entry]>([:])

    /// Registers the stream of a device, and ends the device's older stream.
    func register(_ reader: EventReader, for device: WebDeviceID) {
        let old = entries.withLock { $0.updateValue(Entry(reader: reader), forKey: device)?.reader }
        old?.finish()
    }

    /// Ends the stream of a device.
    func finish(_ device: WebDeviceID) {
        let reader = entries.withLock { $0.removeValue(forKey: device)?.reader }
        reader?.finish()
    }

    /// Ends all streams.
    func finishAll() {
        let readers = entries.withLock { entries in
            defer { entries = [:] }
            return entries.values.compactMap { $0.reader }
        }
        for reader in readers { reader.finish() }
    }
}
