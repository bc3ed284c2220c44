public import FoundationEssentials

/// The last comparison of a camera's clock with this computer's clock, for converting the capture times of
/// photos.
public struct CameraClock: Hashable, Sendable {
    /// The time zone to which the clock is set.
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

    /// Returns the moment at which the camera's clock showed this time.
    ///
    /// Summer time may have started or ended between that moment and the comparison. If the camera did not
    /// adjust its clock, the measured drift includes the change of an hour. If a person adjusted the clock,
    /// the measured drift is also the drift at that moment. The method computes the drift for both cases, and
    /// uses the smaller drift.
    public func date(of shown: WallClock) -> Date {
        let read = shown.date(in: zone)
        let offset = Int(TimeInterval(shown.seconds) - read.timeIntervalSince1970)
        let change = zone.secondsFromGMT(for: comparedAt) - offset
        let withChange = driftSeconds + change
        let drift = withChange.magnitude < driftSeconds.magnitude ? withChange : driftSeconds
        return read.addingTimeInterval(-TimeInterval(drift))
    }
}

extension CameraClock {
    /// The smallest difference for which this computer's clock may be wrong instead of the camera's, in
    /// seconds. A camera's clock drifts by less.
    private static let hostLagSeconds = 3_600

    /// Returns whether this computer's clock may be behind the right time.
    ///
    /// A computer without a clock battery starts with the time of its last shutdown, and keeps this time
    /// until a time server answers (fake-hwclock; OctoPrint#3266, raspberrypi/linux#1751). A camera that lost
    /// its time is behind, not ahead.
    ///
    /// - Parameter drift: The camera's clock minus this computer's, in seconds.
    public static func hostMayBeBehind(_ drift: Int) -> Bool { drift >= hostLagSeconds }

    /// Returns whether a clock difference, in seconds, looks like a time zone offset: a multiple of a quarter
    /// of an hour, with a tolerance of one minute.
    public static func looksLikeZone(_ drift: Int) -> Bool {
        let (quarter, slack, farthest) = (900, 60, 14 * 3_600)
        let rest = Int(drift.magnitude % UInt(quarter))
        return drift.magnitude >= quarter - slack && drift.magnitude <= farthest + slack
            && min(rest, quarter - rest) <= slack
    }
}
