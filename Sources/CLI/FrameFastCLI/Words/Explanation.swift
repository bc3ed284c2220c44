import APIClient
import FrameFastAPI

/// An error of a command: a message for people, a code for programs, and an exit status.
struct Explanation: Equatable {
    var status: ExitStatus
    var code: Word<ErrorCode>
    /// The message, in lower case without a period: "cannot …" or a fact.
    var message: String
    var nextStep: String?

    init(status: ExitStatus, code: Word<ErrorCode>, message: String, nextStep: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }

    init(status: ExitStatus, code: ErrorCode, message: String, nextStep: String? = nil) {
        self.init(status: status, code: Word(code), message: message, nextStep: nextStep)
    }

    /// The error in the format of the daemon's errors, for JSON.
    var reply: ErrorReply {
        var detail = ErrorReply.Detail(code: .internal, message: message, nextStep: nextStep)
        detail.$code = code
        return ErrorReply(error: detail)
    }
}

extension Word where Known == ErrorCode {
    /// The code for an unreachable daemon. Only the client uses this code.
    static var daemonAway: Self { Self(text: "daemon_away") }
}

extension ClientError {
    var explanation: Explanation {
        switch self {
        case .unreachable(let path, let reason):
            let why =
                switch reason {
                case .noSocket: "no socket at \(path)"
                case .noListener: "nothing responds at \(path)"
                case .unusable(let text): "\(path): \(text)"
                }
            return Explanation(
                status: .daemonAway, code: .daemonAway, message: "framefastd is not running (\(why))",
                nextStep: "Start it with `systemctl start framefastd`, or set its socket with --socket.")
        case .noPermission(let path):
            return Explanation(
                status: .refused, code: .forbidden, message: "cannot open \(path): permission denied",
                nextStep: AccessAdvice.step)
        case .refused(let detail):
            return Explanation(
                status: detail.code == .forbidden ? .refused : .failed, code: detail.$code,
                message: detail.message, nextStep: detail.nextStep)
        case .timedOut:
            return Explanation(
                status: .daemonAway, code: .daemonAway, message: "framefastd does not respond",
                nextStep: "See its log with `journalctl -u framefastd`.")
        case .connectionClosed:
            return Explanation(
                status: .daemonAway, code: .daemonAway, message: "framefastd stopped during the call",
                nextStep: "See why with `journalctl -u framefastd`.")
        case .invalidResponse(let reason):
            return Explanation(
                status: .failed, code: .internal,
                message: "cannot parse the response from framefastd: \(reason)",
                nextStep: "Update framefast and framefastd to the same version.")
        case .socketError(let reason):
            return Explanation(status: .failed, code: .internal, message: "cannot use a socket: \(reason)")
        }
    }
}
