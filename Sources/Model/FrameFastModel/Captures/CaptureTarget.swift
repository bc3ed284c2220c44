/// The storage for the photos of a tethered camera.
public enum CaptureTarget: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
    /// The memory card. A photo that is not fetched today can be fetched later.
    case card
    /// The memory card and, as a copy, the memory that the computer reads.
    case cardAndHost = "card+host"
    /// Only the memory that the computer reads. Photos are lost if the link breaks before their transfer.
    case host
    /// The camera's current setting, unchanged.
    case leave
}
