/// What something means: the only colour input that a component takes.
public enum Tone: CaseIterable, Sendable {
    /// Nothing to say: waiting, held, gone.
    case neutral
    /// Good to know.
    case info
    /// Something is going on.
    case busy
    /// As it should be.
    case success
    /// Works, and somebody should look.
    case warning
    /// Does not work.
    case danger

    /// The word for programs: the CSS class of a bar, for example.
    public var word: String { "\(self)" }
}
