/// The storage to which a tethered camera writes new photos.
public enum CaptureTarget: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
    /// The memory card. Photos can still be fetched later.
    case card
    /// The memory card, and a copy in the camera's internal memory for the computer.
    case cardAndHost = "card+host"
    /// Only the camera's internal memory. Photos are lost if the connection is lost before their transfer.
    case host
    /// The camera's current setting, unchanged.
    case leave
}
