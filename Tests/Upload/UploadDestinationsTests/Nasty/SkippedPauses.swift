import FrameFastSystem
import Synchronization

/// A record of a destination's pauses, which end immediately.
final class SkippedPauses: Sendable {
    private let recorded = Mutex<[Double]>([])

    /// The lengths of the pauses, in seconds.
    var seconds: [Double] { recorded.withLock { $0 } }

    /// The system's clock with pauses that end immediately.
    var clock: HostClock {
        var clock = HostClock.system
        clock.sleep = { seconds in self.recorded.withLock { $0.append(seconds) } }
        return clock
    }
}
