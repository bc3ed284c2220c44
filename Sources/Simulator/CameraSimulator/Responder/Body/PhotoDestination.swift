/// The destination of new photos, as the control socket spells it.
enum PhotoDestination: String, Sendable, CaseIterable {
    /// To the computer only.
    case host
    /// On the card only.
    case card
    /// On the card and to the computer.
    case both = "card+host"
}
