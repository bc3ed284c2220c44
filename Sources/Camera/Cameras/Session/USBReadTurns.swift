import FrameFastModel

/// Whose turn it is to read on the USB. A value: no clock, no locks.
///
/// Those who came first go first, shots before what lay on the card. A camera that reads may begin its next photo as long as
/// nobody else waits for its place.
struct USBReadTurns {
    /// Who reads, or wants to.
    struct Reader: Hashable {
        var camera: CameraID
        /// Number of the bus: of one wire.
        var bus: Int
        /// Whether somebody waits for the photo.
        var isShot: Bool
    }

    /// How many cameras may read at a time.
    struct Limits: Hashable {
        var inAll: Int
        var onEachBus: Int
    }

    private var reading: [UInt64: Reader] = [:]
    private var waiting: [(ticket: UInt64, reader: Reader)] = []

    /// Cameras that read now.
    var readers: Int { Set(reading.values.map(\.camera)).count }

    /// Somebody wants to read.
    mutating func wait(_ ticket: UInt64, _ reader: Reader) { waiting.append((ticket, reader)) }

    /// Somebody has read, or wants to no more.
    mutating func end(_ ticket: UInt64) {
        guard reading.removeValue(forKey: ticket) == nil else { return }
        waiting.removeAll { $0.ticket == ticket }
    }

    /// A camera is gone: it waits for nothing any more.
    ///
    /// - Returns: Those who waited.
    mutating func abandon(_ camera: CameraID) -> [UInt64] {
        defer { waiting.removeAll { $0.reader.camera == camera } }
        return waiting.filter { $0.reader.camera == camera }.map(\.ticket)
    }

    /// Lets in whom there is room for.
    mutating func admit(_ limits: Limits) -> [UInt64] {
        var buses: [CameraID: Int] = [:]
        for reader in reading.values { buses[reader.camera] = reader.bus }
        var (isFull, fullBuses) = (false, Set<Int>())
        var admitted: [UInt64] = []
        for (ticket, reader) in waiting.filter(\.reader.isShot) + waiting.filter({ !$0.reader.isShot }) {
            let isFirst = !isFull && !fullBuses.contains(reader.bus)
            let hasRoom =
                buses[reader.camera] != nil
                || (buses.count < limits.inAll
                    && buses.values.count { $0 == reader.bus } < limits.onEachBus)
            if isFirst && hasRoom {
                buses[reader.camera] = reader.bus
                reading[ticket] = reader
                admitted.append(ticket)
            } else if buses.count >= limits.inAll {
                isFull = true
            } else {
                fullBuses.insert(reader.bus)
            }
        }
        let isIn = Set(admitted)
        waiting.removeAll { isIn.contains($0.ticket) }
        return admitted
    }
}
