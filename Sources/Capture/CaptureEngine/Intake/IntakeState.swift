import Foundation
import FrameFastModel

/// The state that one connection to a camera passes to the next.
struct IntakeState: Hashable, Sendable {
    /// The number of objects that stayed missing after the last new connection. Another new connection would
    /// not list them.
    var unlistable = 0
    /// The number of consecutive connections that were opened to list the card and found no new photo; see
    /// ``IdleSchedule/fruitlessRelists(isRelisting:)``.
    var fruitlessRelists = 0
    /// The objects whose facts looked truncated; see ``DoubtfulObjectFilter``.
    var doubted: Set<CameraObject> = []
    /// The photos that stayed in the camera and cannot be listed, or `nil` if no photos stayed.
    var left: LeftInCamera?
    /// Whether the condition for ``left`` was raised.
    var isLeftReported = false
    /// The photos that were missing in their announced folder; see
    /// ``SeenObjects/forgettingDeleted(_:listing:isWhole:)``.
    var notFound: Set<CaptureID> = []
    /// The objects that identify the card of the ``notFound`` photos.
    var fingerprint = CardFingerprint()
    /// The photos whose second readings ended a connection, in the order of the last such reading.
    var lostRereads: [CaptureID] = []
    /// The end of the last connection to the camera, or `nil` if the camera was not connected in this run.
    var endedAt: Date?
}
