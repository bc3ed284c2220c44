/// The shutter in bulb: open until it is closed.
struct BulbShutter: Sendable {
    /// When it was opened last; `nil` before the first time.
    private(set) var opened: WallTime?
    /// When it was closed last; `nil` before the first time, and while it is open.
    private(set) var closed: WallTime?

    var isOpen: Bool { opened != nil && closed == nil }

    mutating func open(at now: WallTime) { (opened, closed) = (now, nil) }

    mutating func close(at now: WallTime) { closed = now }

    /// How long it was open, in tenths of a second; `nil` while it is open and before it was.
    var openTenths: UInt32? {
        guard let opened, let closed else { return nil }
        return UInt32(clamping: (closed.hostMs - opened.hostMs) / 100)
    }

    /// Whole seconds that it has been open by now; 0 while it is closed.
    func seconds(at now: WallTime) -> UInt32 {
        guard isOpen, let opened else { return 0 }
        return UInt32(clamping: (now.hostMs - opened.hostMs) / 1000)
    }

    /// Facts as JSON: whether it is open, and the times of the monotonic clock in nanoseconds.
    var json: String {
        func time(_ moment: WallTime?) -> String { moment.map { "\($0.monotonicNs)" } ?? "null" }
        return "\"open\":\(isOpen),\"opened_ns\":\(time(opened)),\"closed_ns\":\(time(closed))"
    }
}
