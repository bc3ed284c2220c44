/// Whose camera the simulator plays.
public enum Maker: String, Hashable, Sendable, CaseIterable {
    /// A camera that knows only what the PTP standard says.
    case generic
    /// Canon EOS: events are polled with GetEvent.
    case canon
    /// Nikon: events are polled with CheckEvent.
    case nikon
    /// Sony in PC Remote: photos are handed over in memory, one at a time; the card cannot be looked at.
    case sony
    /// Fujifilm in tether shooting: photos lie in a small memory until they are deleted; nothing is announced.
    case fuji
}
