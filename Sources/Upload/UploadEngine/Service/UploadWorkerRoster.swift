import FrameFastModel
import Synchronization

/// The workers as they are now. They change when the configuration is read again, while uploads go on.
final class UploadWorkerRoster: Sendable {
    /// A worker that is to run, once the one before it under its name has ended.
    struct Start: Sendable {
        let worker: UploadWorker
        let predecessor: UploadWorker?
    }

    /// Workers that are to run. Ends with the service. One reader.
    let starts: AsyncStream<Start>
    private let start: AsyncStream<Start>.Continuation
    private struct State {
        var workers: [UploadWorker] = []
        /// The newest worker of each name, also one that has gone.
        var newest: [DestinationName: UploadWorker] = [:]
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
        let (before, starts) = state.withLock { state in
            let before = state.workers
            state.workers = next
            var starts: [Start] = []
            for worker in next where !before.contains(where: { $0 === worker }) {
                let name = worker.target.name
                starts.append(
                    Start(worker: worker, predecessor: state.newest.updateValue(worker, forKey: name)))
            }
            return (before, starts)
        }
        for one in starts { start.yield(one) }
        let places = Set(next.map(\.place))
        for worker in before where !next.contains(where: { $0 === worker }) {
            worker.retire(leavesPlace: !places.contains(worker.place))
        }
    }

    /// Wakes the workers of these destinations.
    func ring(_ names: Set<DestinationName>) {
        for worker in current where names.contains(worker.target.name) { worker.bell.ring() }
    }

    /// No worker begins any more.
    func finish() { start.finish() }
}
