import FrameFastModel
import FrameFastSystem

/// The order in which the photos of one connection are passed to the publisher, which numbers them in this
/// order.
///
/// Fetches overlap. A photo whose hash is ready before the hash of an earlier photo would otherwise get the
/// lower number. Shots and photos from the card have separate orders, because shots overtake the photo that
/// is being read.
struct PublishingOrder {
    /// The place of a photo in the order.
    struct Turn: Sendable {
        fileprivate let previous: AsyncResult<Void>?
        fileprivate let end: AsyncResult<Void>

        /// Waits until the turn of the previous photo has ended.
        func wait(isolation: isolated (any Actor)? = #isolation) async { await previous?.wait() }

        /// Ends the turn: the photo was passed to the publisher, or its fetch failed.
        func finish() { end.set(()) }
    }

    private var last: [FetchQueue.Lane: AsyncResult<Void>] = [:]
    private var turns: [CaptureID: Turn] = [:]

    /// Adds a photo whose fetch starts now.
    mutating func append(_ id: CaptureID, in lane: FetchQueue.Lane) {
        let end = AsyncResult<Void>()
        turns[id] = Turn(previous: last.updateValue(end, forKey: lane), end: end)
    }

    /// Removes and returns the turn of a photo. Call ``Turn/finish()`` on it in every case.
    mutating func takeTurn(of id: CaptureID) -> Turn? { turns.removeValue(forKey: id) }
}
