/// Objects over which workers died, by PTP handle. Twice over the same one: the driver is kept away from it.
///
/// Handles mean something only while the camera stays on, so nothing of this is kept for longer.
struct SuspectObjects: Hashable, Sendable {
    /// Deaths over one object before it is kept away from the driver.
    static let deathsMax = 2
    /// How long a camera must be away before its handles mean nothing any more.
    static let forgetAfter: Duration = .seconds(30)

    private var deaths: [UInt32: Int] = [:]
    private var awaySince: ContinuousClock.Instant?

    /// Handles that the driver must not touch.
    var quarantined: [UInt32] { deaths.filter { $0.value >= Self.deathsMax }.keys.sorted() }

    /// A worker died while the driver was busy with this object.
    ///
    /// - Returns: whether the object is quarantined now.
    mutating func died(over handle: UInt32) -> Bool {
        deaths[handle, default: 0] += 1
        return deaths[handle, default: 0] >= Self.deathsMax
    }

    mutating func connected() { awaySince = nil }

    mutating func cameraIsAway(now: ContinuousClock.Instant = .now) {
        let since = awaySince ?? now
        awaySince = since
        if since.duration(to: now) > Self.forgetAfter { deaths = [:] }
    }
}
