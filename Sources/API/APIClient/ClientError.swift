public import FrameFastAPI

/// Why a call gave no answer.
public enum ClientError: Error, Hashable, Sendable {
    /// Why the daemon cannot be reached.
    public enum Absence: Hashable, Sendable {
        /// There is no socket.
        case noSocket
        /// There is a socket, and nobody behind it.
        case nobodyAnswers
        /// The socket cannot be used.
        case unusable(String)
    }

    /// The daemon cannot be reached.
    case away(path: String, Absence)
    /// The socket may not be opened by this user.
    case noPermission(path: String)
    /// The daemon understood and said no.
    case refused(ErrorReply.Detail)
    /// The daemon was silent for too long.
    case timedOut
    /// The daemon closed the line before the answer was complete.
    case cutShort
    /// What came is not an answer of this interface.
    case notUnderstood(String)
    /// The system refused a socket call.
    case broken(String)
}
