/// The action for a camera whose clock differs from this computer's.
public enum ClockPolicy: String, CaseIterable, Codable, Hashable, Sendable {
    /// Report a condition that names the command to set the clock.
    case ask
    /// Set the clock at each connection.
    case always
    /// Never set the clock, as the photographer wants.
    case never
}
