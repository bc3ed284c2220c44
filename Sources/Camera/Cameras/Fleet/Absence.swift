import Foundation

/// The absence of a camera, which determines whether to raise a condition.
struct Absence: Hashable {
    /// The time for which FrameFast reports an unplugged, unconfigured camera as missing, in seconds. A
    /// camera that disappears during a shoot may have a loose cable. A camera that is missing for longer was
    /// probably put away.
    static let attentionSeconds: TimeInterval = 600
    /// The interval at which the fleet checks for expired absences.
    static let checkInterval: Duration = .seconds(20)

    /// Whether the camera is in the configuration.
    var isConfigured: Bool
    /// The time when the camera was unplugged, or `nil` if the time is unknown or the absence has expired.
    var leftAt: Date?

    /// Returns whether to raise a condition for the absence.
    ///
    /// - Parameter now: The current time. If the clock was set back so far that ``leftAt`` is at least
    ///   ``attentionSeconds`` in the future, the absence has expired.
    func deservesAttention(at now: Date) -> Bool {
        if isConfigured { return true }
        guard let leftAt else { return false }
        return abs(now.timeIntervalSince(leftAt)) < Self.attentionSeconds
    }
}

extension Absence {
    init(of member: CameraMember) {
        self.init(isConfigured: member.origin == .configured, leftAt: member.leftAt)
    }
}
