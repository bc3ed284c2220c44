import FrameFastModel
import FrameFastSystem
import Synchronization

/// The runners of all configured destinations. A reload of the configuration changes this list while uploads
/// run.
final class DestinationRunnerRoster: Sendable {
    /// A runner to start, and the runners that must end first.
    struct Start: Sendable {
        let runner: DestinationRunner
        /// The previous runner of the same name, and runners that still delete leftovers at the same
        /// location.
        let predecessors: [DestinationRunner]
    }

    /// The runners to start. The stream ends with the service, and has one consumer.
    let starts: AsyncStream<Start>
    private let start: AsyncStream<Start>.Continuation
    private struct State {
        var runners: [DestinationRunner] = []
        /// The newest runner of each name, including removed runners.
        var newest: [DestinationName: DestinationRunner] = [:]
        /// The runners whose location is no longer configured. These runners may still be deleting leftovers
        /// at their location.
        var abandoned: [DestinationRunner] = []
    }
    private let state = Mutex(State())

    init() {
        // The stream needs no limit, because only a reload of the configuration adds elements.
        (starts, start) = AsyncStream.makeStream()
    }

    /// The current runners, in the order of the configuration.
    var current: [DestinationRunner] { state.withLock(\.runners) }

    /// The current runners, and the removed runners whose location is no longer configured.
    var currentAndAbandoned: [DestinationRunner] { state.withLock { $0.runners + $0.abandoned } }

    /// Replaces the runners. Removed runners stop their uploads and end. New runners start.
    func replaceAll(with next: [DestinationRunner]) {
        let places = Set(next.map(\.place))
        let (removed, starts) = state.withLock { state in
            let removed = state.runners.filter { runner in !next.contains { $0 === runner } }
            var starts: [Start] = []
            for runner in next where !state.runners.contains(where: { $0 === runner }) {
                var earlier = state.abandoned.filter { $0.place == runner.place }
                state.abandoned.removeAll { $0.place == runner.place }
                if let last = state.newest.updateValue(runner, forKey: runner.target.name),
                    !earlier.contains(where: { $0 === last })
                {
                    earlier.append(last)
                }
                starts.append(Start(runner: runner, predecessors: earlier))
            }
            state.runners = next
            state.abandoned += removed.filter { !places.contains($0.place) }
            return (removed, starts)
        }
        for one in starts {
            for earlier in one.predecessors { earlier.recordSuccessor(at: one.runner.place) }
            start.yield(one)
        }
        for runner in removed { runner.retire(leavesPlace: !places.contains(runner.place)) }
    }

    /// Wakes the runners of these destinations.
    func wake(_ names: Set<DestinationName>) {
        for runner in current where names.contains(runner.target.name) { runner.wakeEvent.signal() }
    }

    /// Ends the stream. No runner starts afterwards.
    func finish() { start.finish() }
}
