import Glibc
import Synchronization
import WorkerProtocol

/// What this process owes the camera when the daemon is gone. As a rule nothing: the next worker goes on where this one
/// ended, and the sooner the better. A camera that makes frames, or whose shutter is open, is set back first.
final class ProcessEnd: Sendable {
    /// Time to set a camera back in, in milliseconds: one that is busy is asked several times.
    static let graceMs: UInt64 = 6_000

    /// When the camera can be set back at the latest, in milliseconds of the monotonic clock; 0 when there is nothing to do.
    private let deadline = Atomic<UInt64>(0)
    private let orphaned = Atomic<Bool>(false)

    /// Whether the daemon is gone.
    var isOrphaned: Bool { orphaned.load(ordering: .relaxed) }

    /// The camera must be set back before this process ends, from now on or no more.
    ///
    /// - Parameter byMs: until when it cannot be done, in milliseconds of the monotonic clock: the end of an exposure.
    func mustEndInOrder(_ isOwed: Bool, byMs: UInt64 = 0) {
        deadline.store(isOwed ? max(byMs, 1) : 0, ordering: .relaxed)
    }

    /// The daemon is gone. Ends the process: at once, or when the driver's thread has done what is owed, or when that takes
    /// too long.
    func daemonIsGone(_ queue: CommandQueue) -> Never {
        let owed = deadline.load(ordering: .relaxed)
        guard owed > 0 else { _exit(WorkerExit.daemonGone) }
        orphaned.store(true, ordering: .relaxed)
        _ = queue.push(.close)
        let end = max(owed, nowMs()) + Self.graceMs
        // The driver's thread ends the process.
        while nowMs() < end { poll(nil, 0, Int32(clamping: end - min(end, nowMs()))) }
        _exit(WorkerExit.daemonGone)
    }
}
