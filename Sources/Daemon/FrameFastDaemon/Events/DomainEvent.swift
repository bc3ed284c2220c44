import FrameFastModel
import Synchronization
import UploadEngine

/// Something that happened in a room.
enum DomainEvent: Sendable {
    /// A camera is new or changed.
    case camera(CameraStatus)
    /// The whole new list of conditions.
    case conditions([Condition])
    /// A photo is new or further.
    case capture(CaptureRecord)
    /// The upload queue tells something.
    case upload(UploadEvent)
    /// Whether the network costs money changed.
    case networkChanged
}

/// The one way from the rooms to everybody who is told: in the order in which things happened, and without a room waiting
/// for who listens. It exists before the rooms, so nobody has to be bound to it later.
final class DomainEvents: Sendable {
    /// Events that may wait, when the ledger does not answer for a while: at 500 an event and a burst of 200 a second, a
    /// hundred seconds and some megabytes.
    static let waitingMax = 20_000

    let stream: AsyncStream<DomainEvent>
    private let continuation: AsyncStream<DomainEvent>.Continuation
    private let dropped = Atomic<Int>(0)

    init(waitingMax: Int = DomainEvents.waitingMax) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(waitingMax))
    }

    /// Something happened. Returns at once.
    func tell(_ event: DomainEvent) {
        if case .dropped = continuation.yield(event) { dropped.add(1, ordering: .relaxed) }
    }

    /// How many events were left out since this was asked last. Nothing depends on them but who listens: uploads are
    /// planned from the ledger, and streams begin anew.
    func takeDropped() -> Int { dropped.exchange(0, ordering: .relaxed) }

    /// Nothing more comes: what waits is still told.
    func finish() { continuation.finish() }
}
