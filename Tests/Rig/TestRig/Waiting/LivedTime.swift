import Foundation
import Glibc
import Synchronization

/// A clock that counts only the time in which this machine could make progress on the awaited work.
///
/// Wall-clock time continues while other programs occupy the processors. A thread of this clock wakes every
/// 50 ms. Each wake is a beat. A beat adds the time since the last beat, minus the time in which any task
/// waited for a processor (`/proc/pressure/cpu`). It adds at least a fifth of the time since the last beat.
///
/// A beat adds at most 100 ms. Time in which the kernel stopped the test process is therefore ignored. While
/// long jobs occupy all threads of Swift's own pool, a beat adds only a fifth of its time. The tested code
/// waits for these threads, too.
public final class LivedTime: Sendable {
    /// The maximum wait in wall-clock time, as a multiple of the time limit.
    public static let wallFactorMax = 5.0
    /// The minimum share of a beat that is counted, even if the processors or the pool are never free.
    static let shareMin = 0.2

    private static let shared = LivedTime()
    private static let beat = 0.05
    private static let beatMax = 0.1

    private let seconds = Mutex(0.0)

    /// The counted time since the first use of this clock, in seconds.
    public static var now: Double { shared.seconds.withLock { $0 } }

    private init() {
        let thread = Thread { [self] in
            var last = Self.wall
            var waited = Self.waitedForProcessor()
            var pool = PoolProbe()
            while true {
                usleep(UInt32(Self.beat * 1_000_000))
                let (now, total) = (Self.wall, Self.waitedForProcessor())
                let share = Self.countedTime(
                    elapsed: now - last, waited: total - waited, isPoolFree: pool.hasRun)
                seconds.withLock { $0 += share }
                (last, waited) = (now, total)
                if pool.hasRun { pool = PoolProbe() }
            }
        }
        thread.name = "lived time"
        thread.start()
    }

    /// Returns the part of a beat that is added to the lived time.
    ///
    /// - Parameters:
    ///   - elapsed: The wall-clock time since the last beat, in seconds.
    ///   - waited: The time in which any task waited for a processor, in seconds.
    ///   - isPoolFree: Whether Swift's own pool ran a job in that time.
    static func countedTime(elapsed: Double, waited: Double, isPoolFree: Bool) -> Double {
        let counted = min(elapsed, beatMax)
        let free = elapsed > 0 ? 1 - max(0, min(waited / elapsed, 1)) : 1
        return counted * (isPoolFree ? max(free, shareMin) : shareMin)
    }

    /// The wall-clock time since an arbitrary moment, in seconds.
    static var wall: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the total time in which any task waited for a processor, in seconds, or 0 if the kernel
    /// doesn't report it.
    static func waitedForProcessor() -> Double {
        guard let text = try? String(contentsOfFile: "/proc/pressure/cpu", encoding: .utf8) else { return 0 }
        return total(inPressure: text)
    }

    /// Parses `total=` in the line `some`, in seconds.
    static func total(inPressure text: String) -> Double {
        let some = text.split(separator: "\n").first { $0.hasPrefix("some ") } ?? ""
        let field = some.split(separator: " ").first { $0.hasPrefix("total=") } ?? ""
        return (Double(field.dropFirst("total=".count)) ?? 0) / 1e6
    }
}

/// A job that detects whether Swift's own pool has run it.
private final class PoolProbe: Sendable {
    private let answer = Atomic(false)

    /// Whether the pool has run the job.
    var hasRun: Bool { answer.load(ordering: .acquiring) }

    init() {
        Task.detached { [self] in answer.store(true, ordering: .releasing) }
    }
}

/// A time limit in lived time. The limit is also reached after five times as many seconds of wall-clock time.
public struct WaitLimit {
    private let seconds: Double
    private let lived = LivedTime.now
    private let wall = LivedTime.wall
    private let waited = LivedTime.waitedForProcessor()

    /// Starts the time limit.
    ///
    /// - Parameter seconds: The limit, in seconds of lived time.
    public init(seconds: Double) { self.seconds = seconds }

    /// Whether the limit is reached.
    public var isOver: Bool { LivedTime.now - lived >= seconds || isStarved }

    /// Whether the limit in wall-clock time is reached.
    public var isStarved: Bool { LivedTime.wall - wall >= seconds * LivedTime.wallFactorMax }

    /// The elapsed time, for example "61.2 s (lived 30.0 s of 30 s, CPU pressure 64 %)".
    public var report: String {
        let elapsed = LivedTime.wall - wall
        let pressure = elapsed > 0 ? (LivedTime.waitedForProcessor() - waited) / elapsed : 0
        return String(
            format: "%.1f s (lived %.1f s of %.0f s, CPU pressure %.0f %%)", elapsed, LivedTime.now - lived,
            seconds, pressure * 100)
    }
}
