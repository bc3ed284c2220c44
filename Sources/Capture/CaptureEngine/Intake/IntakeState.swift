import Foundation
import FrameFastModel

/// The state that one session with a camera passes to the next.
struct IntakeState: Hashable, Sendable {
    /// The number of objects that stayed missing after the last new session. They do not justify another
    /// one.
    var unlistable = 0
    /// The number of consecutive sessions that were opened for the list and found no new photo; see
    /// ``QuietTime/fruitlessRelists(isRelisting:)``.
    var fruitlessRelists = 0
    /// The objects whose facts looked truncated; see ``ObjectDoubts``.
    var doubted: Set<CameraObject> = []
    /// The photos that were not transferred and that a listing cannot find, or `nil`.
    var left: LeftInCamera?
    /// Whether the condition for ``left`` was raised.
    var isLeftReported = false
    /// The photos that were missing where the camera had announced them; see
    /// ``SeenObjects/forgettingDeleted(_:listing:isWhole:)``.
    var notFound: Set<CaptureID> = []
    /// The objects that identify the card of these photos.
    var fingerprint = CardFingerprint()
    /// When the last session with the camera ended, or `nil` if this run had no session with it.
    var endedAt: Date?
}
