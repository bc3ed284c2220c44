import FrameFastModel
import FrameFastSystem

/// The order in which the photos of one connection are passed to the publisher, which numbers them in this
/// order.
///
/// Fetches overlap. Without this order, a photo whose hash is ready early would get a lower number than an
/// earlier photo. Shots and photos from the card have separate orders, because shots overtake a photo
/// from the card that is being read.
struct PublishingOrder {
    /// The position of a photo in the order.
    struct Slot: Sendable {
        fileprivate let previous: AsyncResult<Void>?
        fileprivate let end: AsyncResult<Void>

        /// Waits until the previous photo has finished its slot.
        func wait(isolation: isolated (any Actor)? = #isolation) async { await previous?.wait() }

        /// Finishes the slot, because the photo was passed to the publisher.
        func finish() { end.set(()) }

        /// Finishes the slot of a failed fetch as soon as the previous slot is finished. The next photo waits
        /// only for this slot, and must not overtake the previous photo.
        func skip(isolation: isolated (any Actor)? = #isolation) async {
            await wait()
            finish()
        }
    }

    private var last: [FetchQueue.Priority: AsyncResult<Void>] = [:]
    private var slots: [CaptureID: Slot] = [:]

    /// Adds a photo whose fetch starts now.
    mutating func append(_ id: CaptureID, priority: FetchQueue.Priority) {
        let end = AsyncResult<Void>()
        slots[id] = Slot(previous: last.updateValue(end, forKey: priority), end: end)
    }

    /// Removes and returns the slot of a photo. Call ``Slot/finish()`` or ``Slot/skip(isolation:)`` on it in
    /// every case.
    mutating func removeSlot(of id: CaptureID) -> Slot? { slots.removeValue(forKey: id) }
}
