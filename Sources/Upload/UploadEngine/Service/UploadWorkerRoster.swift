import FrameFastModel
import Synchronization

/// The runners of all configured destinations. The list changes when the configuration is reloaded, while
/// uploads continue.
final class UploadWorkerRoster: Sendable {
    /// A runner to start, and the runners that must end first.
    struct Start: Sendable {
        let worker: UploadWorker
        /// The previous runner of the same name, and runners that still delete leftovers at the same place.
        let predecessors: [UploadWorker]
    }

    /// The runners to start. The stream ends with the service and has one reader.
    let starts: AsyncStream<Start>
    private let start: AsyncStream<Start>.Continuation
    private struct State {
        var workers: [UploadWorker] = []
        /// The newest runner of each name, including removed ones.
        var newest: [DestinationName: UploadWorker] = [:]
        /// The runners whose place left the configuration. They may still delete leftovers there.
        var abandoned: [UploadWorker] = []
    }
    private let state = Mutex(State())

    init() {
        // The stream needs no limit: its elements are few, because a person changes the configuration.
        (starts, start) = AsyncStream.makeStream()
    }

    /// The current runners, in the order of the configuration.
    var current: [UploadWorker] { state.withLock(\.workers) }

    /// Replaces the runners. Removed runners stop their uploads and end; new runners start.
    func use(_ next: [UploadWorker]) {
        let places = Set(next.map(\.place))
        let (gone, starts) = state.withLock { state in
            let gone = state.workers.filter { worker in !next.contains { $0 === worker } }
            var starts: [Start] = []
            for worker in next where !state.workers.contains(where: { $0 === worker }) {
                var earlier = state.abandoned.filter { $0.place == worker.place }
                state.abandoned.removeAll { $0.place == worker.place }
                if let last = state.newest.updateValue(worker, forKey: worker.target.name),
                    !earlier.contains(where: { $0 === last })
                {
                    earlier.append(last)
                }
                starts.append(Start(worker: worker, predecessors: earlier))
            }
            state.workers = next
            state.abandoned += gone.filter { !places.contains($0.place) }
            return (gone, starts)
        }
        for one in starts {
            for earlier in one.predecessors { earlier.isSucceeded(at: one.worker.place) }
            start.yield(one)
        }
        for worker in gone { worker.retire(leavesPlace: !places.contains(worker.place)) }
    }

    /// Wakes the runners of these destinations.
    func ring(_ names: Set<DestinationName>) {
        for worker in current where names.contains(worker.target.name) { worker.bell.ring() }
    }

    /// Ends the stream, so that no more runners start.
    func finish() { start.finish() }
}
