import Cameras
import FrameFastModel
import Store

/// Keeps the number of pending photos in the status of each camera up to date.
///
/// The ledger is the only source. One query counts for all cameras after photos or cameras changed, at most four times
/// a second. A failed query is repeated.
struct PendingCounts: Sendable {
    /// The shortest time between two counts.
    private static let pause: Duration = .milliseconds(250)

    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    init(ledger: LedgerStore, registry: CameraRegistry) {
        self.ledger = ledger
        self.registry = registry
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Requests a count. Returns at once.
    func update() { request.yield() }

    /// Counts after each request, until the task is cancelled.
    func run() async {
        for await _ in requests {
            if let pending = try? await ledger.waiting() {
                registry.update(pending: pending)
            } else {
                update()
            }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
