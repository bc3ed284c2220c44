import Cameras
import FrameFastSystem
import Store

/// A counter that keeps the number of each camera's pending photos up to date.
///
/// Each commit of the ledger triggers a count, because some changes have no event. Examples are a duplicate
/// photo and a forgotten photo.
///
/// One query counts for all cameras, at most four times a second. A failed query is repeated.
struct PendingCounts: Sendable {
    /// The shortest time between two counts.
    static let pause: Duration = .milliseconds(250)

    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let clock: HostClock
    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    /// - Parameter clock: The clock for the pause between two counts.
    init(ledger: LedgerStore, registry: CameraRegistry, clock: HostClock) {
        self.ledger = ledger
        self.registry = registry
        self.clock = clock
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Requests a count, for example after a camera was added. Never blocks.
    func update() { request.yield() }

    /// Counts after each commit and each request, until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            let commits = ledger.commits()
            group.addTask { for await _ in commits { update() } }
            update()
            for await _ in requests {
                if let pending = try? await ledger.pendingCounts() {
                    registry.update(pending: pending)
                } else {
                    update()
                }
                try? await clock.sleep(for: Self.pause)
            }
            group.cancelAll()
        }
    }
}
