/// The objects on which workers died, by PTP handle. After two deaths on the same object, the object is
/// hidden from the driver.
///
/// Handles are valid only while the camera stays on. After a camera was unreachable for ``forgetAfter``, its
/// handles are discarded.
struct SuspectObjects: Hashable, Sendable {
    /// The number of worker deaths after which an object is quarantined.
    static let deathsMax = 2
    /// The time after which the handles of an unreachable camera are treated as invalid.
    static let forgetAfter: Duration = .seconds(30)

    private var deaths: [UInt32: Int] = [:]
    /// The uptime at which the camera became unreachable, in seconds, or `nil` while it is connected.
    private var awaySince: Double?

    /// The handles of the objects that are hidden from the driver.
    var quarantined: [UInt32] { deaths.filter { $0.value >= Self.deathsMax }.keys.sorted() }

    /// Records that a worker died while the driver was reading this object.
    ///
    /// - Returns: Whether the object is quarantined now.
    mutating func recordDeath(over handle: UInt32) -> Bool {
        deaths[handle, default: 0] += 1
        return deaths[handle, default: 0] >= Self.deathsMax
    }

    mutating func recordConnection() { awaySince = nil }

    /// Records that the camera is unreachable.
    ///
    /// - Parameter uptime: The current value of `HostClock.uptime`.
    mutating func recordAbsence(at uptime: Double) {
        let since = awaySince ?? uptime
        awaySince = since
        if Duration.seconds(uptime - since) > Self.forgetAfter { deaths = [:] }
    }
}
