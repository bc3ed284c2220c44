public import FoundationEssentials

/// A camera's clock as last compared with this computer's clock. Converts the times of photos.
public struct CameraClock: Hashable, Sendable {
    /// The zone in which the clock runs.
    public var zone: TimeZone
    /// The camera's clock minus this computer's, in seconds.
    public var driftSeconds: Int
    /// The time of the comparison.
    public var comparedAt: Date

    /// Creates a clock from a comparison.
    public init(zone: TimeZone, driftSeconds: Int, comparedAt: Date) {
        self.zone = zone
        self.driftSeconds = driftSeconds
        self.comparedAt = comparedAt
    }

    /// Returns the moment at which the clock showed a time.
    ///
    /// Summer time may have started or ended since then. Many cameras do not follow it, so today's drift
    /// includes the change and the earlier drift does not. A clock that was set after the change has the same
    /// drift on both sides. The method uses the reading with the smaller drift.
    public func date(of shown: WallClock) -> Date {
        let read = shown.date(in: zone)
        let offset = Int(TimeInterval(shown.seconds) - read.timeIntervalSince1970)
        let change = zone.secondsFromGMT(for: comparedAt) - offset
        let withChange = driftSeconds + change
        let drift = withChange.magnitude < driftSeconds.magnitude ? withChange : driftSeconds
        return read.addingTimeInterval(-TimeInterval(drift))
    }
}
