import Foundation
import FrameFastModel

/// What one session with a camera leaves for the next.
struct CameraMemory: Hashable, Sendable {
    /// Objects that stayed missing after the last new session: no reason for another one.
    var unlistable = 0
    /// New sessions in a row that were wanted for the list and found no new photo; see
    /// ``QuietTime/fruitlessRelists(isRelisting:)``.
    var fruitlessRelists = 0
    /// Objects whose facts looked cut short; see ``ObjectDoubts``.
    var doubted: Set<CameraObject> = []
    /// Photos that did not come over and cannot be found by listing.
    var left: LeftInCamera?
    /// Whether that was said.
    var isLeftTold = false
    /// Photos that were not where the camera had announced them; see ``SeenObjects/forgettingDeleted(_:listing:isWhole:)``.
    var nowhere: Set<CaptureID> = []
    /// What tells the card of these photos from another one.
    var witnesses = CardWitnesses()
    /// When the last session with the camera ended, or `nil` if this run had none.
    var endedAt: Date?
}
