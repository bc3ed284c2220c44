import FrameFastModel
import FrameFastSystem
import Synchronization

/// The runners of all configured destinations. The list changes when the configuration is reloaded, while
/// uploads continue.
final class DestinationRunnerRoster: Sendable {
    /// A runner to start, and the runners that must end first.
    struct Start: Sendable {
        let runner: DestinationRunner
        /// The previous runner of the same name, and runners that still delete leftovers at the same place.
        let predecessors: [DestinationRunner]
    }

    /// The runners to start. The stream ends with the service and has one reader.
    let starts: AsyncStream<Start>
    private let start: AsyncStream<Start>.Continuation
    private struct State {
        var runners: [DestinationRunner] = []
        /// The newest runner of each name, including removed ones.
        var newest: [DestinationName: DestinationRunner] = [:]
        /// The runners whose place left the configuration. They may still delete leftovers there.
        var abandoned: [DestinationRunner] = []
    }
    private let state = Mutex(State())

    init() {
        // The stream needs no limit: its elements are few, because a person changes the configuration.
        (starts, start) = AsyncStream.makeStream()
    }

    /// The current runners, in the order of the configuration.
    var current: [DestinationRunner] { state.withLock(\.runners) }

    /// Replaces the runners. Removed runners stop their uploads and end; new runners start.
    func replaceAll(with next: [DestinationRunner]) {
        let places = Set(next.map(\.place))
        let (gone, starts) = state.withLock { state in
            let gone = state.runners.filter { runner in !next.contains { $0 === runner } }
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
            state.abandoned += gone.filter { !places.contains($0.place) }
            return (gone, starts)
        }
        for one in starts {
            for earlier in one.predecessors { earlier.recordSuccessor(at: one.runner.place) }
            start.yield(one)
        }
        for runner in gone { runner.retire(leavesPlace: !places.contains(runner.place)) }
    }

    /// Wakes the runners of these destinations.
    func wake(_ names: Set<DestinationName>) {
        for runner in current where names.contains(runner.target.name) { runner.wakeEvent.ring() }
    }

    /// Ends the stream, so that no more runners start.
    func finish() { start.finish() }
}
