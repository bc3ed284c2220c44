import Glibc
import Synchronization
import WorkerProtocol

/// The shutdown of the worker after the daemon has exited. The process usually ends immediately, and the next
/// worker continues its work. If live view is on or the shutter is open, the worker restores the camera's
/// state first.
final class ProcessShutdown: Sendable {
    /// The time for restoring the camera's state, in milliseconds. A busy camera requires several tries.
    static let graceMs: UInt64 = 6_000

    /// The time after which the worker restores the camera's state, in milliseconds of the monotonic clock,
    /// or 0 if there is no state to restore.
    private let deadline = Atomic<UInt64>(0)
    private let orphaned = Atomic<Bool>(false)

    var isOrphaned: Bool { orphaned.load(ordering: .relaxed) }

    /// Sets whether the worker must restore the camera's state before the process ends.
    ///
    /// - Parameter byMs: The end of the running exposure, in milliseconds of the monotonic clock. The worker
    ///   restores the state after that time.
    func setRestoreRequired(_ isRequired: Bool, byMs: UInt64 = 0) {
        deadline.store(isRequired ? max(byMs, 1) : 0, ordering: .relaxed)
    }

    /// Ends the process after the daemon has exited: immediately, or after the driver thread has restored the
    /// camera's state or timed out.
    func handleDaemonExit(_ queue: CommandQueue) -> Never {
        let restoreMs = deadline.load(ordering: .relaxed)
        guard restoreMs > 0 else { _exit(WorkerExit.daemonGone) }
        orphaned.store(true, ordering: .relaxed)
        _ = queue.push(.close)
        let end = max(restoreMs, nowMs()) + Self.graceMs
        // The driver thread ends the process after it has restored the camera's state.
        while nowMs() < end { poll(nil, 0, Int32(clamping: end - min(end, nowMs()))) }
        _exit(WorkerExit.daemonGone)
    }
}
