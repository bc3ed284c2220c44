import CLinux
public import Foundation
import SystemIO

/// The computer's sources of time and randomness.
///
/// Durations are in seconds. A person or NTP can set the date. Code that measures a duration therefore reads
/// ``uptime``, which includes the computer's sleep, or ``awakeTime``, which excludes the sleep.
///
/// Tests replace the closures with virtual time. A test sets the date and the uptime. ``sleep`` returns when
/// the test advances the uptime far enough. Code that waits for a real socket, program or thread needs
/// ``system`` even in tests.
public struct HostClock: Sendable {
    /// Returns the date. A person or NTP can change the date.
    public var now: @Sendable () -> Date
    /// Returns the seconds since an arbitrary time, including the computer's sleep. The value never jumps.
    public var uptime: @Sendable () -> Double
    /// Returns the seconds since an arbitrary time, excluding the computer's sleep. The value never jumps.
    public var awakeTime: @Sendable () -> Double
    /// Returns the total time that the computer has slept since it started, in seconds.
    public var slept: @Sendable () -> Double
    /// Returns the time since the computer started, including its sleep, in nanoseconds. The value never
    /// jumps. Other processes read the same clock (CLOCK_BOOTTIME).
    public var bootTimeNs: @Sendable () -> UInt64
    /// Sleeps for a number of seconds of ``uptime``. Throws an error if the task is cancelled.
    public var sleep: @Sendable (_ seconds: Double) async throws -> Void
    /// Sleeps for a number of seconds of ``awakeTime``. Throws an error if the task is cancelled.
    public var sleepAwake: @Sendable (_ seconds: Double) async throws -> Void
    /// Returns a random number, 0..<1.
    public var random: @Sendable () -> Double
    /// Returns 64 random bits, for unique names and for secrets. The bits of ``system`` are from the kernel's
    /// cryptographic source.
    public var randomBits: @Sendable () -> UInt64
    /// Returns the minute of the local day, 0..<1440.
    public var minuteOfDay: @Sendable (Date) -> Int

    /// Creates a clock.
    public init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Double,
        awakeTime: @escaping @Sendable () -> Double, slept: @escaping @Sendable () -> Double,
        bootTimeNs: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
        sleepAwake: @escaping @Sendable (_ seconds: Double) async throws -> Void,
        random: @escaping @Sendable () -> Double, randomBits: @escaping @Sendable () -> UInt64,
        minuteOfDay: @escaping @Sendable (Date) -> Int
    ) {
        self.now = now
        self.uptime = uptime
        self.awakeTime = awakeTime
        self.slept = slept
        self.bootTimeNs = bootTimeNs
        self.sleep = sleep
        self.sleepAwake = sleepAwake
        self.random = random
        self.randomBits = randomBits
        self.minuteOfDay = minuteOfDay
    }

    /// The time at which ``uptime`` of the system clock is 0.
    private static let start = ContinuousClock.now
    /// The time at which ``awakeTime`` of the system clock is 0.
    private static let awakeStart = SuspendingClock.now

    /// The clock of this computer.
    public static let system = HostClock(
        now: { Date() }, uptime: { start.duration(to: .now) / .seconds(1) },
        awakeTime: { awakeStart.duration(to: .now) / .seconds(1) },
        slept: { sleptSeconds }, bootTimeNs: { SystemTime.bootNs },
        sleep: { try await Task.sleep(for: .seconds($0)) },
        sleepAwake: { try await Task.sleep(for: .seconds($0), clock: .suspending) },
        random: { Double.random(in: 0..<1) },
        randomBits: { UInt64.random(in: 0...UInt64.max) },
        minuteOfDay: { date in
            let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
            return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        })

    /// The time that the computer has slept since it started, in seconds, with an error of at most 0.1 s.
    ///
    /// The value is the difference between the clocks with and without the computer's sleep.
    private static var sleptSeconds: Double {
        while true {
            let awake = SystemTime.monotonicNs
            let now = SystemTime.bootNs
            // If the process pauses between the two readings, the difference includes the pause.
            guard SystemTime.monotonicNs - awake < readingNs else { continue }
            return Double(now - min(now, awake)) / 1e9
        }
    }

    /// The longest accepted time between the readings of the two clocks, in nanoseconds.
    private static let readingNs: UInt64 = 100_000_000

    /// Whether a time service such as NTP synchronizes the computer's clock, or `nil` if unknown.
    ///
    /// A sandbox with `ProtectClock=yes` hides the state of the kernel. Then only the state of
    /// systemd-timesyncd is known.
    public static var isSynchronized: Bool? {
        switch framefast_clock_is_synchronized() {
        case 0: false
        case 1: true
        default: isSynchronized(timesync: "/run/systemd/timesync")
        }
    }

    /// Returns whether systemd-timesyncd has set the clock since its start, or `nil` if systemd-timesyncd
    /// does not run. It creates the file `synchronized` in its folder (systemd-timesyncd(8), version 239).
    static func isSynchronized(timesync folder: String) -> Bool? {
        DurableFile.isFolder(folder) ? DurableFile.exists(folder + "/synchronized") : nil
    }
}

extension HostClock {
    /// The whole seconds since 1970.
    public var unixSeconds: Int { Int(now().timeIntervalSince1970) }

    /// Sleeps for a duration of ``uptime``.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await self.sleep(duration / .seconds(1)) }

    /// Returns the value of ``uptime`` after a duration that starts now.
    public func deadline(after duration: Duration) -> Double { uptime() + duration / .seconds(1) }

    /// Returns the duration since an earlier value of ``uptime``.
    public func duration(since uptime: Double) -> Duration { .seconds(self.uptime() - uptime) }
}
