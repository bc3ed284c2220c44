public import FrameFastModel
import Glibc

/// The reason why no camera was found at an address.
public enum ProbeFailure: Error, Hashable, Sendable {
    /// No response arrived in time.
    case timeout
    /// The host exists, but no program listens on the port.
    case portClosed
    /// The host does not exist on the network.
    case hostUnreachable
    /// This computer has no route to the network.
    case networkUnreachable
    /// The system denied permission: a firewall, or the service's sandbox.
    case permissionDenied
    /// The device accepted the connection and refused the handshake, possibly only temporarily.
    case refused(Refusal)
    /// The device does not support PTP/IP.
    case notPTPIP
    /// Any other error, with its `errno`.
    case other(errno: Int32)

    /// The way in which a device refused the handshake.
    public enum Refusal: Hashable, Sendable {
        /// The device accepted the connection and sent nothing. Usually the camera displays an approval
        /// request.
        case silent
        /// The device sent Init_Fail with this reason: 1 rejected, 2 busy, 3 unspecified. Canon sends 5
        /// before pairing.
        case initFail(reason: UInt32)
        /// The device closed the connection without a response. Usually another program is connected to the
        /// device.
        case hungUp
        /// The device accepted the greeting and responded to a request with this PTP response code.
        case response(code: UInt16)

        /// Whether the user may have to accept this computer on the camera's screen.
        public var mayNeedPairing: Bool {
            switch self {
            case .silent: true
            case .initFail(let reason): reason != 2
            case .hungUp, .response: false
            }
        }
    }

    /// The kinds of failure. The raw values are part of the API.
    public typealias Kind = ProbeFailureKind

    /// The kind of failure, for counting.
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

    /// Creates a failure from the `errno` of `connect`.
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
