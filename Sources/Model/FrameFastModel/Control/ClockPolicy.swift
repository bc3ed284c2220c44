/// What is done about a camera whose clock is not this computer's.
public enum ClockPolicy: String, CaseIterable, Codable, Hashable, Sendable {
    /// A condition names the command that sets it.
    case ask
    /// It is set when the camera is connected.
    case always
    /// Nothing: the photographer wants it so.
    case never
}
