public import FoundationEssentials

/// A camera's clock, as it was compared with this computer's clock. Reads the times of photos.
public struct CameraClock: Hashable, Sendable {
    /// The zone that the clock runs in.
    public var zone: TimeZone
    /// The camera's clock minus this computer's, in seconds.
    public var driftSeconds: Int
    /// When both were compared.
    public var comparedAt: Date

    /// Creates a clock from a comparison.
    public init(zone: TimeZone, driftSeconds: Int, comparedAt: Date) {
        self.zone = zone
        self.driftSeconds = driftSeconds
        self.comparedAt = comparedAt
    }

    /// Returns the moment at which the clock showed a time.
    ///
    /// Summer time may have begun or ended since then. Many cameras do not follow, so the drift of today includes the change,
    /// and the drift of that time did not. A clock that was set after the change has the same drift on both sides. Of both
    /// readings, the one with the smaller drift counts.
    public func date(of shown: WallClock) -> Date {
        let read = shown.date(in: zone)
        let offset = Int(TimeInterval(shown.seconds) - read.timeIntervalSince1970)
        let change = zone.secondsFromGMT(for: comparedAt) - offset
        let withChange = driftSeconds + change
        let drift = withChange.magnitude < driftSeconds.magnitude ? withChange : driftSeconds
        return read.addingTimeInterval(-TimeInterval(drift))
    }
}
