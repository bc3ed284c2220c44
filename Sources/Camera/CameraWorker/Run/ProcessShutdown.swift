import Glibc
import Synchronization
import WorkerProtocol

/// The shutdown of the worker after the daemon has exited. The process usually ends immediately, and the next
/// worker continues the work. If the camera's state must be restored (for example, because live view is on or
/// the shutter is open), the worker restores it first.
final class ProcessShutdown: Sendable {
    /// The time for restoring the camera's state. A busy camera requires several tries.
    static let grace = Duration.milliseconds(6_000)

    /// The time from which the worker may restore the camera's state, in nanoseconds of the monotonic clock,
    /// or 0 if no state must be restored.
    private let deadline = Atomic<Int64>(0)
    private let orphaned = Atomic<Bool>(false)

    var isOrphaned: Bool { orphaned.load(ordering: .relaxed) }

    /// Sets whether the worker must restore the camera's state before the process ends.
    ///
    /// - Parameter end: The end of the running exposure. The worker restores the state after that time.
    func setRestoreRequired(_ isRequired: Bool, by end: Instant = .start) {
        deadline.store(isRequired ? max(end.sinceStart.wholeNanoseconds, 1) : 0, ordering: .relaxed)
    }

    /// Ends the process after the daemon has exited: immediately, or after the driver thread has restored the
    /// camera's state or timed out.
    func handleDaemonExit(_ queue: CommandQueue) -> Never {
        let restoreNs = deadline.load(ordering: .relaxed)
        guard restoreNs > 0 else { _exit(WorkerExit.daemonGone) }
        orphaned.store(true, ordering: .relaxed)
        _ = queue.push(.close)
        let end = max(Instant(sinceStart: .nanoseconds(restoreNs)), .now) + Self.grace
        // The driver thread ends the process after it has restored the camera's state.
        while Instant.now < end { poll(nil, 0, Instant.now.delay(until: end).pollTimeout) }
        _exit(WorkerExit.daemonGone)
    }
}
