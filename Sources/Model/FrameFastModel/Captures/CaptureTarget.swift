/// Where a camera puts the photos of a session.
public enum CaptureTarget: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
    /// On its memory card: what is not fetched today is fetched tomorrow.
    case card
    /// On its memory card and, as a copy, in the memory that the computer reads.
    case cardAndHost = "card+host"
    /// Only in the memory that the computer reads: lost when the link goes before the photo came over.
    case host
    /// As the camera has it; nothing is set.
    case leave
}
