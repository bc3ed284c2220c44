/// The shutter during a bulb exposure. The shutter stays open until a client closes it.
struct BulbShutter: Sendable {
    /// The time of the last opening, or `nil` if the shutter was never opened.
    private(set) var opened: WallTime?
    /// The time of the last closing, or `nil` if the shutter is open or was never opened.
    private(set) var closed: WallTime?

    var isOpen: Bool { opened != nil && closed == nil }

    mutating func open(at now: WallTime) { (opened, closed) = (now, nil) }

    mutating func close(at now: WallTime) { closed = now }

    /// The duration of the last exposure, in tenths of a second, or `nil` if the shutter is open or was never
    /// opened.
    var openTenths: UInt32? {
        guard let opened, let closed else { return nil }
        return UInt32(clamping: (closed.hostMs - opened.hostMs) / 100)
    }

    /// Returns the duration of the current exposure in whole seconds, or 0 while the shutter is closed.
    func seconds(at now: WallTime) -> UInt32 {
        guard isOpen, let opened else { return 0 }
        return UInt32(clamping: (now.hostMs - opened.hostMs) / 1000)
    }

    /// The state as JSON members: whether the shutter is open, and the times of opening and closing by the
    /// monotonic clock, in nanoseconds.
    var json: String {
        func time(_ moment: WallTime?) -> String { moment.map { "\($0.monotonicNs)" } ?? "null" }
        return "\"open\":\(isOpen),\"opened_ns\":\(time(opened)),\"closed_ns\":\(time(closed))"
    }
}
