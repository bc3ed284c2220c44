import Foundation
import FrameFastAPI
import Synchronization

/// Since when each destination stands as it does.
final class DestinationStandings: Sendable {
    private let known = Mutex<[DestinationName: (state: DestinationReply.State, since: Date)]>([:])

    /// When a destination took this state.
    func since(_ name: DestinationName, _ state: DestinationReply.State) -> Date {
        known.withLock { known in
            if let entry = known[name], entry.state == state { return entry.since }
            let now = Date()
            known[name] = (state, now)
            return now
        }
    }
}
