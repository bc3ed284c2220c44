import FoundationEssentials
import Glibc

/// Tells systemd how the service is doing (sd_notify(3), the datagram protocol on `$NOTIFY_SOCKET`).
public struct ServiceNotifier: Sendable {
    private let socketPath: String?

    /// Reads `NOTIFY_SOCKET` from `environment`; without it every call does nothing.
    public init(environment: [String: String]) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The service answers on its socket now.
    public func ready() { send("READY=1") }
    /// The service is on its way down.
    public func stopping() { send("STOPPING=1") }
    /// One line for `systemctl status`.
    public func status(_ line: String) { send("STATUS=" + line.replacing("\n", with: " ")) }
    /// The supervisor's loop went round: feeds `WatchdogSec=`.
    public func alive() { send("WATCHDOG=1") }

    private func send(_ message: String) {
        guard let socketPath else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socketPath.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // systemd writes an abstract socket's name with a leading "@" for the NUL byte.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                _ = sendto(descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL), target, length)
            }
        }
    }
}
