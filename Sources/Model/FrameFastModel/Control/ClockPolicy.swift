/// The action of the service for a camera whose clock differs from this computer's clock.
public enum ClockPolicy: String, CaseIterable, Codable, Hashable, Sendable {
    /// Raises a condition whose next step names the command to set the clock.
    case ask
    /// Sets the clock at each connection.
    case always
    /// Never sets the clock.
    case never
}
