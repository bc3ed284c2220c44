import Glibc
import Synchronization
import WorkerProtocol

/// The shutdown of the worker after the daemon is gone. Usually the process ends at once, and the next worker
/// continues. If live view is on or the shutter is open, the worker restores the camera first.
final class ProcessShutdown: Sendable {
    /// The time for restoring the camera, in milliseconds. A busy camera needs several tries.
    static let graceMs: UInt64 = 6_000

    /// The earliest time at which restoring can start, in milliseconds of the monotonic clock, or 0 if
    /// nothing has to be restored.
    private let deadline = Atomic<UInt64>(0)
    private let orphaned = Atomic<Bool>(false)

    var isOrphaned: Bool { orphaned.load(ordering: .relaxed) }

    /// Sets whether the worker must restore the camera before the process ends.
    ///
    /// - Parameter byMs: The end of the exposure that delays restoring, in milliseconds of the monotonic
    ///   clock.
    func setRestoreRequired(_ isRequired: Bool, byMs: UInt64 = 0) {
        deadline.store(isRequired ? max(byMs, 1) : 0, ordering: .relaxed)
    }

    /// Ends the process after the daemon is gone: at once, or after the driver thread has restored the
    /// camera, or after a timeout.
    func handleDaemonExit(_ queue: CommandQueue) -> Never {
        let restoreMs = deadline.load(ordering: .relaxed)
        guard restoreMs > 0 else { _exit(WorkerExit.daemonGone) }
        orphaned.store(true, ordering: .relaxed)
        _ = queue.push(.close)
        let end = max(restoreMs, nowMs()) + Self.graceMs
        // The driver thread ends the process when it has restored the camera.
        while nowMs() < end { poll(nil, 0, Int32(clamping: end - min(end, nowMs()))) }
        _exit(WorkerExit.daemonGone)
    }
}
