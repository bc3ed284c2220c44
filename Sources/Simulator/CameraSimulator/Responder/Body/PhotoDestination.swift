/// The destination of new photos. The raw values are the words of the control socket.
enum PhotoDestination: String, Sendable, CaseIterable {
    /// To the computer only.
    case host
    /// On the card only.
    case card
    /// On the card and to the computer.
    case both = "card+host"
}
