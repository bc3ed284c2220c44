/// A file that was created or deleted, with its folder.
struct TakenPhoto: Sendable {
    /// The state of the camera's lamp after the shot, or `nil` for a camera without a lamp.
    var lamp: CameraLamp?
    /// The file on the card.
    var object: CardObject
    /// The folder, for example `/store_00010001/DCIM/100MEDIA`.
    var folder: String
}

/// The state of a Fujifilm camera's lamp in tether shooting.
enum CameraLamp: String, Hashable, Sendable {
    /// The memory contains no photos.
    case off
    /// The memory contains photos that a client must fetch and delete. The body cannot be switched off.
    case blinking
    /// The memory is full.
    case full
}
