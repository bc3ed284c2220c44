/// The source of a fact or a text. Texts that are only ``usual`` say "usually" themselves.
public enum Confidence: String, Codable, CaseIterable, Hashable, Sendable {
    /// Tested by the project against the library or the kernel.
    case verified
    /// Found in libgphoto2's source or tables.
    case source
    /// Found in a public issue or document.
    case reported
    /// Common knowledge, not verified.
    case usual
}
