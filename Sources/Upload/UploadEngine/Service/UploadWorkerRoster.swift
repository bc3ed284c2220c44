import FrameFastModel
import Synchronization

/// The workers as they are now. They change when the configuration is read again, while uploads go on.
final class UploadWorkerRoster: Sendable {
    /// A worker that is to run once others have made room for it.
    struct Start: Sendable {
        let worker: UploadWorker
        /// The worker before it under its name, and those that still remove leftovers at its place.
        let predecessors: [UploadWorker]
    }

    /// Workers that are to run. Ends with the service. One reader.
    let starts: AsyncStream<Start>
    private let start: AsyncStream<Start>.Continuation
    private struct State {
        var workers: [UploadWorker] = []
        /// The newest worker of each name, also one that has gone.
        var newest: [DestinationName: UploadWorker] = [:]
        /// Workers whose place left the configuration. They may still remove leftovers there.
        var abandoned: [UploadWorker] = []
    }
    private let state = Mutex(State())

    init() {
        // As many as destinations are configured, at a person's pace.
        (starts, start) = AsyncStream.makeStream()
    }

    /// In the order of the configuration.
    var current: [UploadWorker] { state.withLock(\.workers) }

    /// Takes other workers. Those that are not among them end what they do and go; new ones begin.
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

    /// Wakes the workers of these destinations.
    func ring(_ names: Set<DestinationName>) {
        for worker in current where names.contains(worker.target.name) { worker.bell.ring() }
    }

    /// No worker begins any more.
    func finish() { start.finish() }
}
