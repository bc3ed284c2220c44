import Cameras
import FrameFastModel
import Store

/// Keeps the number of pending photos in the status of each camera up to date.
///
/// The ledger is the only source, and each of its commits is a reason to count: a photo that turns out to be a known one,
/// or that is forgotten, has no event of its own. One query counts for all cameras, at most four times a second. A failed
/// query is repeated.
struct PendingCounts: Sendable {
    /// The shortest time between two counts.
    static let pause: Duration = .milliseconds(250)

    private let ledger: LedgerStore
    private let registry: CameraRegistry
    private let clock: any Clock<Duration>
    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    /// - Parameter clock: The clock that limits how often is counted.
    init(ledger: LedgerStore, registry: CameraRegistry, clock: any Clock<Duration> = ContinuousClock()) {
        self.ledger = ledger
        self.registry = registry
        self.clock = clock
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Requests a count: a camera may be new. Returns at once.
    func update() { request.yield() }

    /// Counts after each commit and each request, until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            let commits = ledger.commits()
            group.addTask { for await _ in commits { update() } }
            update()
            for await _ in requests {
                if let pending = try? await ledger.waiting() {
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
