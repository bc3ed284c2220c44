import FrameFastSystem
import Synchronization

/// A one-shot event that ends the supervision of a camera. Several tasks can wait for the event.
final class SupervisionEnd: Sendable {
    /// The time limit for the worker of an unplugged camera to report the photos that remain in the camera.
    static let finalReportTime: Duration = .seconds(2)

    /// The reason why the supervision ends.
    enum Reason: Hashable, Sendable {
        /// The camera was unplugged. The worker can't send requests to the camera any more.
        case unplugged
        /// The camera is plugged in, but the fleet no longer uses it. The worker restores the camera's
        /// settings before it disconnects.
        case unwanted
    }

    private let lastReason = Mutex<Reason?>(nil)
    private let event = AsyncResult<Void>()

    /// The reason, or `nil` before the event.
    var reason: Reason? { lastReason.withLock(\.self) }

    /// Triggers the event. `unplugged` replaces an earlier `unwanted`.
    func trigger(_ reason: Reason) {
        lastReason.withLock { if $0 != .unplugged { $0 = reason } }
        event.set(())
    }

    /// Waits for the event, or until the task is cancelled.
    func wait() async { _ = await event.waitUnlessCancelled() }
}
