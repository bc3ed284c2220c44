/// How a fact or a text is known. Texts that are only ``usual`` say "usually" themselves.
public enum Confidence: String, Codable, CaseIterable, Hashable, Sendable {
    /// Run by us, against the library or the kernel.
    case verified
    /// Read in libgphoto2's source or tables.
    case source
    /// Told in a public issue or document.
    case reported
    /// Common knowledge, not checked.
    case usual
}
