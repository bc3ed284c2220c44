import FoundationEssentials
import Glibc

/// Tells systemd how the service is doing (sd_notify(3), the datagram protocol on `$NOTIFY_SOCKET`).
public struct ServiceNotifier: Sendable {
    private let socketPath: String?
    /// How long systemd waits for ``alive()`` before it takes the service for dead; `nil` when it does not watch.
    public let watchdogInterval: Duration?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` from `environment`; without it every call does nothing.
    public init(environment: [String: String]) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init) ?? 0
        watchdogInterval = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The service answers on its socket now.
    public func ready() { send("READY=1") }
    /// The configuration is being read again; ``ready()`` says that it is done.
    public func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
    }
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
        _ = UnixAddress.withAddress(socketPath) { address, length in
            sendto(descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL), address, length)
        }
    }
}
