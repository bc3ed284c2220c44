import APIClient
import FrameFastAPI
import Localization

/// Why nothing came of a command, for people, programs and the shell.
struct Explanation: Equatable {
    var status: ExitStatus
    var code: ErrorReply.Code
    /// Lower case, "cannot …" or a fact, no full stop.
    var message: String
    var nextStep: String?

    /// The same as JSON, in the shape of the daemon's own errors.
    var reply: ErrorReply { ErrorReply(error: .init(code: code, message: message, nextStep: nextStep)) }
}

extension ErrorReply.Code {
    /// The client's own word: the daemon cannot be reached.
    static let daemonAway = Self(rawValue: "daemon_away")
}

extension ClientError {
    var explanation: Explanation {
        switch self {
        case .away(let path, let absence):
            let why =
                switch absence {
                case .noSocket: localized("no socket at \(path)")
                case .nobodyAnswers: localized("nothing answers at \(path)")
                case .unusable(let reason): "\(path): \(reason)"
                }
            return Explanation(
                status: .daemonAway, code: .daemonAway,
                message: localized("framefastd is not running (\(why))"),
                nextStep: localized(
                    "Start it with `systemctl start framefastd`, or name its socket with --socket."))
        case .noPermission(let path):
            return Explanation(
                status: .refused, code: .forbidden,
                message: localized("cannot open \(path): permission denied"),
                nextStep: localized("Run it as root, or as a member of group framefast."))
        case .refused(let detail):
            return Explanation(
                status: detail.code == .forbidden ? .refused : .failed, code: detail.code,
                message: detail.message, nextStep: detail.nextStep)
        case .timedOut:
            return Explanation(
                status: .daemonAway, code: .daemonAway, message: localized("framefastd does not answer"),
                nextStep: localized("See what it is doing with `journalctl -u framefastd`."))
        case .cutShort:
            return Explanation(
                status: .daemonAway, code: .daemonAway,
                message: localized("framefastd stopped during the call"),
                nextStep: localized("See why with `journalctl -u framefastd`."))
        case .notUnderstood(let reason):
            return Explanation(
                status: .failed, code: .internal,
                message: localized("cannot understand the answer of framefastd: \(reason)"),
                nextStep: localized("Update framefast and framefastd to the same version."))
        case .broken(let reason):
            return Explanation(
                status: .failed, code: .internal, message: localized("cannot use a socket: \(reason)"))
        }
    }
}
