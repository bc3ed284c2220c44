/// The maker whose camera is simulated.
public enum Maker: String, Hashable, Sendable, CaseIterable {
    /// A camera that implements only the PTP standard.
    case generic
    /// Canon EOS. Clients poll for events with GetEvent.
    case canon
    /// Nikon. Clients poll for events with CheckEvent.
    case nikon
    /// Sony in PC Remote. Clients fetch photos from memory one at a time and cannot access the card.
    case sony
    /// Fujifilm in tether shooting. A small memory holds photos until a client deletes them. The camera sends
    /// no events.
    case fuji
}
