/// What a state means: the only colour input of a component.
public enum Tone: CaseIterable, Sendable {
    /// Nothing to report: waiting, held, gone.
    case neutral
    /// Good to know.
    case info
    /// In progress.
    case busy
    /// All is well.
    case success
    /// Works, but needs attention.
    case warning
    /// Does not work.
    case danger

    /// The word for programs: the CSS class of a bar, for example.
    public var word: String { "\(self)" }
}
