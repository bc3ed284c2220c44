public import FrameFastAPI
import FrameFastSystem
public import Glibc

/// The person or device that sent a request. The server that receives the request sets
/// ``RequestCaller/current`` while a handler runs.
public struct RequestCaller: Sendable {
    /// The caller of the request that the current task handles, or `nil` outside a request.
    @TaskLocal public static var current: RequestCaller?

    /// The thread that looks up the names of users. A lookup may block, and must not block the event loop.
    private static let lookups = BlockingPool(label: "framefast.user-names", width: 1)

    /// The role of the caller.
    public var role: WebRole
    /// The only session that the caller may see, or `nil` without a limit.
    public var session: SessionID?
    private let source: Source

    private enum Source: Sendable {
        case device(WebDeviceID, name: String)
        case user(uid_t)
    }

    /// Creates the caller for a paired device.
    ///
    /// - Parameters:
    ///   - device: The device's id.
    ///   - name: The device's name.
    ///   - session: The only session that the device may see, or `nil` without a limit.
    public init(device: WebDeviceID, name: String, role: WebRole, session: SessionID? = nil) {
        source = .device(device, name: name)
        self.role = role
        self.session = session
    }

    /// Creates the caller for a user of this computer.
    public init(user: uid_t, role: WebRole) {
        source = .user(user)
        self.role = role
        session = nil
    }

    /// The caller for a peer of the Unix socket. A peer that may only read has the role of a screen.
    init(_ peer: PeerCredentials, grant: AccessPolicy.Grant) {
        self.init(user: peer.uid, role: grant == .control ? .owner : .screen)
    }

    /// Returns the name of the caller. Untrusted text.
    public func name() async -> String {
        switch source {
        case .device(_, let name): name
        case .user(let id):
            await Self.lookups.run { UserDatabase.userName(id: id) } ?? "user \(id)"
        }
    }

    /// Returns the identity of the caller: `device:7` for a device, `user:eva` for a user of this computer.
    /// Ids of devices are never reused.
    public func key() async -> String {
        switch source {
        case .device(let id, _): "device:\(id)"
        case .user: "user:\(await name())"
        }
    }
}
