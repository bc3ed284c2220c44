/// The meaning of a state. The tone is the only color input of a component.
public enum Tone: CaseIterable, Sendable {
    /// Nothing to report, for example waiting, held or disconnected.
    case neutral
    /// A note.
    case info
    /// In progress.
    case busy
    /// Done, or working well.
    case success
    /// Working, but needs attention.
    case warning
    /// Not working.
    case danger

    /// The word for programs, for example the CSS class of a bar.
    public var word: String { "\(self)" }
}
