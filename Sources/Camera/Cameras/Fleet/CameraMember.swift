import Foundation
import FrameFastModel
import Makers

/// One camera of the fleet.
struct CameraMember {
    /// The source of a camera.
    enum Origin: Hashable {
        /// Named in the configuration.
        case configured
        /// Plugged in and not in the configuration.
        case plugged
        /// A network camera that a user added over the socket.
        case kept
    }

    var camera: ConfiguredCamera
    let origin: Origin
    /// The camera's place on the USB, or `nil` if it is not plugged in.
    var place: USBPlace?
    /// When the camera was unplugged; `nil` while it is plugged in, or if the time is unknown.
    var leftAt: Date?
    /// The supervisor that keeps the camera connected, or `nil` if none runs.
    var supervisor: CameraSupervisor?
    /// Whether the user chose to ignore the camera.
    var isIgnored = false
    /// Whether the camera is removed as soon as its supervisor has ended.
    var isForgotten = false

    /// Whether the camera should be connected now.
    var isWanted: Bool {
        guard !isIgnored, !isForgotten else { return false }
        guard !camera.isNetwork else { return true }
        return switch place?.verdict.action {
        case .open, .check: true
        case .leave, .ignore, nil: false
        }
    }
}
