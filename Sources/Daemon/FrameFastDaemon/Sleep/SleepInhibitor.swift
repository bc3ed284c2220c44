import ChildProcesses
import FrameFastSystem
import Glibc
import Logging
import ServiceLifecycle
import Synchronization

/// A service that keeps this computer awake while a session runs.
///
/// The child process `systemd-inhibit` holds a lock of systemd-logind. The kernel ends the child process when
/// the service ends. The alternative is a D-Bus connection in the service, which needs a library and can hang
/// the service.
final class SleepInhibitor: Service {
    private let command: CommandSettings
    private let logger: Logger
    private let clock: HostClock
    private let steadyTime: Duration
    private let isWanted: @Sendable () async -> Bool?
    private let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let hold = Mutex(Hold())

    private struct Hold {
        /// Whether a program holds the lock or tries to acquire it.
        var isHolding = false
        /// Whether the lock was requested again while a program held it. The program may have ended just
        /// before the request.
        var isWantedAgain = false
    }

    /// - Parameters:
    ///   - command: The program that holds the lock while it runs.
    ///   - steadyTime: The minimum runtime after which an ended program is restarted. A program that cannot
    ///     acquire the lock ends immediately.
    ///   - isWanted: Returns whether the computer must stay awake, or `nil` if unknown. With `nil`, the lock
    ///     stays unchanged.
    init(
        command: CommandSettings = SleepInhibitor.systemdInhibit, logger: Logger, clock: HostClock,
        steadyTime: Duration = .seconds(60), isWanted: @escaping @Sendable () async -> Bool?
    ) {
        self.command = command
        self.logger = logger
        self.clock = clock
        self.steadyTime = steadyTime
        self.isWanted = isWanted
    }

    /// Acquires or releases the lock. Call this function after a session starts or ends, and after the
    /// configuration changes. If logind refused the lock, the call requests the lock again.
    func update() { change.yield() }

    /// Holds the lock whenever it is required, until the service shuts down.
    func run() async throws {
        update()
        await cancelWhenGracefulShutdown {
            var holding: Task<Void, Never>?
            for await _ in self.changes {
                guard let isWanted = await self.isWanted() else { continue }
                if isWanted {
                    guard self.beginHolding() else { continue }
                    holding = Task { await self.holdLock() }
                } else {
                    holding?.cancel()
                    await holding?.value
                }
            }
            // The shutdown does not wait for the program. If the program still runs when the service ends,
            // the kernel ends the program.
            holding?.cancel()
        }
    }

    /// Marks the lock as held, or as requested again.
    ///
    /// - Returns: `false` if the lock is already held.
    private func beginHolding() -> Bool {
        hold.withLock { hold in
            guard hold.isHolding else {
                hold = Hold(isHolding: true)
                return true
            }
            hold.isWantedAgain = true
            return false
        }
    }

    private func endHolding() {
        let isWantedAgain = hold.withLock { hold in
            defer { hold = Hold() }
            return hold.isWantedAgain
        }
        if isWantedAgain { update() }
    }

    /// Runs the program until the task is cancelled, or the program ends before ``steadyTime``.
    private func holdLock() async {
        defer { endHolding() }
        while true {
            let start = clock.awakeTime()
            let outcome = await CommandRun(settings: command, facts: [:]).run()
            let held = Duration.seconds(clock.awakeTime() - start)
            switch outcome.end {
            case .cancelled: return
            case .timedOut: continue
            case .exited, .killed, .notStarted:
                // When the service manager stops the service, it ends this program at the same time.
                guard (try? await clock.sleep(for: Self.stopPause)) != nil else { return }
                let words = outcome.lastLine.map { " (\($0))" } ?? ""
                let reason: Logger.Metadata = ["reason": "\(outcome.end)\(words)"]
                if held >= steadyTime {
                    logger.notice("the sleep inhibitor lock was lost: acquiring it again", metadata: reason)
                    continue
                }
                logger.notice(
                    "this computer may go to sleep while a session runs: cannot acquire the sleep inhibitor lock",
                    metadata: reason)
                return
            }
        }
    }

    /// The pause after the program ends. If the service manager ends both the program and the service, the
    /// service stops during this pause and does not report a lost lock.
    private static let stopPause: Duration = .seconds(1)
    /// The maximum runtime of the program, in seconds. After this time, the program is restarted if the
    /// session is still running.
    private static let runSeconds = 86_400.0

    /// The program that holds a sleep inhibitor lock while it runs.
    static var systemdInhibit: CommandSettings {
        let name = "DBUS_SYSTEM_BUS_ADDRESS"
        return CommandSettings(
            program: "/usr/bin/systemd-inhibit",
            arguments: [
                "--what=sleep", "--who=FrameFast", "--why=A photo session is running", "--mode=block",
                "sleep", "infinity",
            ],
            timeoutSeconds: runSeconds,
            environment: getenv(name).map { [name: String(cString: $0)] } ?? [:])
    }
}
