public import FrameFastAPI

/// A reason why a call returned no reply.
public enum ClientError: Error, Hashable, Sendable {
    /// A reason why the daemon cannot be reached.
    public enum UnreachableReason: Hashable, Sendable {
        /// The socket file does not exist.
        case noSocket
        /// The socket file exists, but no process listens on it.
        case noListener
        /// The socket cannot be used. The value is the reason.
        case unusable(String)
    }

    /// The daemon cannot be reached.
    case unreachable(path: String, UnreachableReason)
    /// The user has no permission to open the socket.
    case noPermission(path: String)
    /// The daemon refused the request.
    case refused(ErrorReply.Detail)
    /// The daemon sent nothing within the timeout.
    case timedOut
    /// The daemon closed the connection before the response was complete.
    case connectionClosed
    /// The response does not conform to this API. The value is the reason.
    case invalidResponse(String)
    /// A socket system call failed. The value is the system's error text.
    case socketError(String)
}
