/// Whose camera the simulator plays.
public enum Maker: String, Hashable, Sendable, CaseIterable {
    /// A camera that knows only what the PTP standard says.
    case generic
    /// Canon EOS: events are polled with GetEvent.
    case canon
    /// Nikon: events are polled with CheckEvent.
    case nikon
}
