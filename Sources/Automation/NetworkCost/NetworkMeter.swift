public import ChildProcesses
import Foundation
public import FrameFastModel
import Glibc
public import Logging
public import ServiceLifecycle
import Synchronization

/// Knows whether the network costs money, for destinations that hold photos back then.
///
/// Asks a program every few seconds: a configured one, or `busctl` for NetworkManager's flag. A child with a timeout
/// cannot hang the service as a bus connection in it could, and needs no library.
public final class NetworkMeter: Service {
    private struct State {
        var isMetered: Bool?
        var waiters: [CheckedContinuation<Bool, Never>] = []
        var isOver = false
    }

    /// Longest time for an answer, in seconds.
    public static let answerSeconds = 5.0

    private let command: CommandSettings?
    private let interval: Duration
    private let logger: Logger
    private let onChange: @Sendable () -> Void
    private let tell: @Sendable (Condition?) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - command: Exit code 0 means that the network costs money, 1 that it does not; `nil` asks NetworkManager.
    ///   - interval: Time between two questions.
    ///   - onChange: Told that the answer is another one.
    ///   - tell: Told the condition when nobody can tell, and `nil` when somebody can.
    public init(
        command: CommandSettings?, interval: Duration, logger: Logger,
        onChange: @escaping @Sendable () -> Void, tell: @escaping @Sendable (Condition?) -> Void
    ) {
        self.command = command
        self.interval = max(interval, .milliseconds(100))
        self.logger = logger
        self.onChange = onChange
        self.tell = tell
    }

    /// The last answer; waits for the first one.
    public func isMetered() async -> Bool {
        await withCheckedContinuation { waiter in
            let known = state.withLock { state -> Bool? in
                if let isMetered = state.isMetered { return isMetered }
                if state.isOver { return true }
                state.waiters.append(waiter)
                return nil
            }
            if let known { waiter.resume(returning: known) }
        }
    }

    /// Asks until the service is shut down.
    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                self.take(await self.ask())
                try await Task.sleep(for: self.interval)
            }
        }
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    private func ask() async -> MeterAnswer {
        guard let command else {
            return MeterAnswer(networkManager: await CommandRun(settings: Self.busctl, facts: [:]).run())
        }
        if let fault = command.faults.first { return .unknown(fault) }
        return MeterAnswer(command: await CommandRun(settings: command, facts: [:]).run())
    }

    private func take(_ answer: MeterAnswer) {
        guard !Task.isCancelled else { return }
        let (isMetered, reason): (Bool?, String?) =
            switch answer {
            case .metered: (true, nil)
            case .free: (false, nil)
            case .unknown(let reason): (nil, reason)
            }
        let (waiters, hasChanged) = state.withLock { state in
            let before = state.isMetered
            // Who cannot tell now may have known before: one late answer does not open the tap.
            let now = isMetered ?? before ?? false
            state.isMetered = now
            defer { state.waiters = [] }
            return (state.waiters, before != now)
        }
        tell(reason.map(Self.condition))
        for waiter in waiters { waiter.resume(returning: isMetered ?? false) }
        guard hasChanged else { return }
        logger.info(
            "the network \(isMetered == true ? "is metered" : "is not metered")",
            metadata: ["by": "\(command?.program ?? "NetworkManager")"])
        onChange()
    }

    private static func condition(_ reason: String) -> Condition {
        Condition(
            .meteredUnknown, since: Date(),
            sentence: "Cannot tell whether the network is metered: \(reason).",
            nextStep:
                "Set metered_command in [upload] to a program that knows, or take metered = \"hold\" away; then restart "
                + "the service.")
    }

    /// Does not start NetworkManager where it is not running.
    private static var busctl: CommandSettings {
        let name = "DBUS_SYSTEM_BUS_ADDRESS"
        return CommandSettings(
            program: "/usr/bin/busctl",
            arguments: [
                "--system", "--auto-start=no", "--timeout=\(Int(answerSeconds) - 1)", "get-property",
                "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
                "org.freedesktop.NetworkManager", "Metered",
            ],
            timeoutSeconds: answerSeconds,
            environment: getenv(name).map { [name: String(cString: $0)] } ?? [:])
    }
}
