import FrameFastModel
import Synchronization
import UploadEngine

/// An event of the cameras, the capture, the uploads, the previews or the network.
enum DomainEvent: Sendable {
    /// A camera was added or changed.
    case camera(CameraStatus)
    /// The complete new list of conditions.
    case conditions([Condition])
    /// A photo was added or changed its state.
    case capture(CaptureRecord)
    /// An event of the upload queue.
    case upload(UploadEvent)
    /// The facts of this file's preview changed: the size, the color, or whether the file has a preview.
    /// Another file may then represent the shot.
    case preview(CaptureID)
    /// The network became metered or unmetered.
    case networkChanged
}

/// A bounded queue of events from the engines to their listeners, in the order in which they happened.
///
/// A slow listener never blocks an engine. The queue is created before the engines, which receive it in their
/// initializers.
final class DomainEvents: Sendable {
    /// The maximum length of the queue. The queue grows, for example, while the ledger does not respond. With
    /// events of 800 bytes and 200 events a second, the queue covers 100 seconds and takes 16 MB.
    static let bufferMax = 20_000

    let stream: AsyncStream<DomainEvent>
    private let continuation: AsyncStream<DomainEvent>.Continuation
    private let dropped = Atomic<Int>(0)

    init(bufferMax: Int = DomainEvents.bufferMax) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(bufferMax))
    }

    /// Adds an event to the queue, or counts it as dropped if the queue is full. Never blocks.
    func publish(_ event: DomainEvent) {
        if case .dropped = continuation.yield(event) { dropped.add(1, ordering: .relaxed) }
    }

    /// Returns the number of events that were dropped since the last call, and resets the number.
    ///
    /// No photos or uploads are lost if events are dropped. Uploads are planned from the ledger, and event
    /// streams resynchronize.
    func takeDroppedCount() -> Int { dropped.exchange(0, ordering: .relaxed) }

    /// Ends the stream after the queued events.
    func finish() { continuation.finish() }
}
