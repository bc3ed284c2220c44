import FoundationEssentials
import Glibc
import SystemIO

/// A client of systemd's service notifications: datagrams to the socket in `NOTIFY_SOCKET` (sd_notify(3)).
public struct ServiceNotifier: Sendable {
    private let socketPath: String?
    /// The longest time between two calls of ``alive()``, or `nil` without a watchdog. systemd treats a
    /// service that takes longer as failed.
    public let watchdogInterval: Duration?

    /// Creates a client.
    ///
    /// - Parameter environment: The variables `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`. Without
    ///   `NOTIFY_SOCKET`, all methods do nothing.
    public init(environment: [String: String]) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init) ?? 0
        watchdogInterval = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Reports that the service accepts requests.
    public func ready() { send("READY=1") }
    /// Reports that the service is reloading its configuration. ``ready()`` reports the end of the reload.
    public func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(SystemTime.monotonicNs / 1_000)")
    }
    /// Reports that the service is stopping.
    public func stopping() { send("STOPPING=1") }
    /// Sets the status line of `systemctl status`.
    public func status(_ line: String) { send("STATUS=" + line.replacing("\n", with: " ")) }
    /// Resets the watchdog (`WatchdogSec=`).
    public func alive() { send("WATCHDOG=1") }

    private func send(_ message: String) {
        guard let socketPath else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = UnixAddress.withAddress(socketPath, allowsAbstractName: true) { address, length in
            sendto(descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL), address, length)
        }
    }
}
