/// The reliability of a fact or a text, depending on its source. Every text with the value ``usual`` contains
/// the word "usually".
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
