import Foundation
import FrameFastAPI
import FrameFastSystem
import Synchronization

/// The date at which each destination entered its state.
final class DestinationStateDates: Sendable {
    private let entries = Mutex<[DestinationName: (state: DestinationReply.State, since: Date)]>([:])
    private let clock: HostClock

    init(clock: HostClock) { self.clock = clock }

    /// Returns the date at which a destination entered a state. For a new state, returns the current date.
    func date(of state: DestinationReply.State, for name: DestinationName) -> Date {
        entries.withLock { entries in
            if let entry = entries[name], entry.state == state { return entry.since }
            let now = clock.now()
            entries[name] = (state, now)
            return now
        }
    }
}
