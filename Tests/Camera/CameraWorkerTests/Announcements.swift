import FrameFastModel
import WorkerProtocol

/// The objects that a worker has announced, in order.
final class Announcements {
    private var taken = 0

    /// Returns the next object, including objects that were announced while the test waited for a reply.
    func next(of worker: WorkerProcess) throws -> CameraObject {
        defer { taken += 1 }
        while true {
            let all = worker.events.compactMap { event -> CameraObject? in
                if case .objectAdded(let object) = event { object } else { nil }
            }
            if all.count > taken { return all[taken] }
            _ = try worker.next()
        }
    }
}
