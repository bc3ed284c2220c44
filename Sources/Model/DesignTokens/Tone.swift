/// The meaning of a state. Components choose their colors only by tone.
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

    /// The tone as a word for programs, for example as a CSS class in a status bar.
    public var word: String { "\(self)" }
}
