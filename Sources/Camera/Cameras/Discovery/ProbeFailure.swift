import Glibc

/// Why an address gave no camera.
public enum ProbeFailure: Error, Hashable, Sendable {
    /// Nobody answered in time.
    case timeout
    /// Something is there, and nothing listens on the port.
    case portClosed
    /// No such host on its network.
    case hostUnreachable
    /// No way to that network.
    case networkUnreachable
    /// The system does not let us: a firewall, or the service's confinement.
    case permissionDenied
    /// Something took the connection and does not want to talk to us, or not yet.
    case refused(Refusal)
    /// Something answered that is not PTP/IP.
    case notPTPIP
    /// Anything else, with the system's number.
    case other(errno: Int32)

    /// How something that took the connection turned us down.
    public enum Refusal: Hashable, Sendable {
        /// It took the connection and said nothing: usually the camera asks its owner on the screen.
        case silent
        /// Init_Fail with this reason: 1 rejected, 2 busy, 3 unspecified; Canon says 5 before it is paired.
        case initFail(reason: UInt32)
        /// It hung up without a word: usually it serves another program.
        case hungUp
        /// It greeted us and then answered a request with this PTP response code.
        case response(code: UInt16)

        /// Whether somebody should look at the camera's screen and accept this computer there.
        public var mayWantPairing: Bool {
            switch self {
            case .silent: true
            case .initFail(let reason): reason != 2
            case .hungUp, .response: false
            }
        }
    }

    /// Kinds of failure, with the words of the API.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case timeout
        case portClosed = "port_closed"
        case hostUnreachable = "host_unreachable"
        case networkUnreachable = "network_unreachable"
        case permissionDenied = "permission_denied"
        case refused
        case notPTPIP = "not_ptpip"
        case other
    }

    /// Its kind, for counting.
    public var kind: Kind {
        switch self {
        case .timeout: .timeout
        case .portClosed: .portClosed
        case .hostUnreachable: .hostUnreachable
        case .networkUnreachable: .networkUnreachable
        case .permissionDenied: .permissionDenied
        case .refused: .refused
        case .notPTPIP: .notPTPIP
        case .other: .other
        }
    }

    /// What a failed `connect` means.
    init(errno: Int32) {
        self =
            switch errno {
            case ETIMEDOUT: .timeout
            case ECONNREFUSED: .portClosed
            case EHOSTUNREACH, EHOSTDOWN: .hostUnreachable
            case ENETUNREACH, ENETDOWN: .networkUnreachable
            case EACCES, EPERM: .permissionDenied
            default: .other(errno: errno)
            }
    }
}
