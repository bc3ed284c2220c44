public import ChildProcesses
import Foundation
public import FrameFastModel
public import FrameFastSystem
import Glibc
public import Logging
public import ServiceLifecycle
import Synchronization

/// A monitor that determines whether the network is metered. Destinations use it to hold uploads on a metered
/// network.
///
/// The monitor regularly runs a configured command, or `busctl` to read NetworkManager's property `Metered`.
/// The child process has a timeout. A D-Bus connection in the service would require another library and could
/// block the service.
public final class NetworkMeter: Service {
    private struct State {
        var isMetered: Bool?
    }

    /// The timeout of one query, in seconds.
    public static let responseSeconds = 5.0

    private let command: CommandSettings?
    private let interval: Duration
    private let clock: HostClock
    private let logger: Logger
    private let onChange: @Sendable () -> Void
    private let onCondition: @Sendable (Condition?) -> Void
    private let state = Mutex(State())
    /// The first result, or `true` if the service shuts down before the first query is complete.
    private let firstResult = AsyncResult<Bool>()

    /// - Parameters:
    ///   - command: The command, whose exit code 0 means metered and 1 not metered, or `nil` to query
    ///     NetworkManager.
    ///   - interval: The time between two queries.
    ///   - clock: The clock of the interval.
    ///   - onChange: Called when the result changes.
    ///   - onCondition: Called after each query, with a condition if the result is unknown, and with `nil` if
    ///     the result is known.
    public init(
        command: CommandSettings?, interval: Duration, clock: HostClock = .system, logger: Logger,
        onChange: @escaping @Sendable () -> Void, onCondition: @escaping @Sendable (Condition?) -> Void
    ) {
        self.command = command
        self.interval = max(interval, .milliseconds(100))
        self.clock = clock
        self.logger = logger
        self.onChange = onChange
        self.onCondition = onCondition
    }

    /// Returns the last known result. Waits until the first query is complete. Returns `true` if the service
    /// stopped before the first result.
    public func isMetered() async -> Bool {
        if let isMetered = state.withLock(\.isMetered) { return isMetered }
        return await firstResult.wait()
    }

    /// Queries the network at the interval until the service shuts down.
    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                self.apply(await self.queryNetwork())
                try await self.clock.sleep(for: self.interval)
            }
        }
        firstResult.set(true)
    }

    private func queryNetwork() async -> MeterReading {
        guard let command else {
            return MeterReading(networkManager: await CommandRun(settings: Self.busctl, facts: [:]).run())
        }
        if let fault = command.faults.first { return .unknown(fault) }
        return MeterReading(command: await CommandRun(settings: command, facts: [:]).run())
    }

    private func apply(_ result: MeterReading) {
        guard !Task.isCancelled else { return }
        let (isMetered, reason): (Bool?, String?) =
            switch result {
            case .metered: (true, nil)
            case .free: (false, nil)
            case .unknown(let reason): (nil, reason)
            }
        let hasChanged = state.withLock { state in
            let before = state.isMetered
            // If a query fails, the previous result remains valid, so no uploads start on a network known to
            // be metered. Without a previous result, the network counts as not metered.
            let now = isMetered ?? before ?? false
            state.isMetered = now
            return before != now
        }
        onCondition(reason.map { Self.condition($0, since: clock.now()) })
        firstResult.set(isMetered ?? false)
        guard hasChanged else { return }
        // An unknown result is not logged, because the condition reports it.
        if let isMetered {
            logger.info(
                "the network \(isMetered ? "is metered" : "is not metered")",
                metadata: ["by": "\(command?.program ?? "NetworkManager")"])
        }
        onChange()
    }

    private static func condition(_ reason: String, since date: Date) -> Condition {
        Condition(
            .meteredUnknown, since: date,
            sentence: "FrameFast cannot determine whether the network is metered: \(reason).",
            nextStep:
                "Set metered_command in [upload] to a program that determines this, or remove metered = \"hold\". Then restart "
                + "the service.")
    }

    /// A `busctl` command that reads NetworkManager's property `Metered`. The command does not start
    /// NetworkManager.
    private static var busctl: CommandSettings {
        let name = "DBUS_SYSTEM_BUS_ADDRESS"
        return CommandSettings(
            program: "/usr/bin/busctl",
            arguments: [
                "--system", "--auto-start=no", "--timeout=\(Int(responseSeconds) - 1)", "get-property",
                "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
                "org.freedesktop.NetworkManager", "Metered",
            ],
            timeoutSeconds: responseSeconds,
            environment: getenv(name).map { [name: String(cString: $0)] } ?? [:])
    }
}
