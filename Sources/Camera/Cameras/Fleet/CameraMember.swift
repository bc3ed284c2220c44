import Foundation
import FrameFastModel
import Makers

/// One camera of the fleet.
struct CameraMember {
    /// The source of a camera.
    enum Origin: Hashable {
        /// The camera is in the configuration.
        case configured
        /// The camera was plugged in and is not in the configuration.
        case plugged
        /// A network camera that a user added over the socket.
        case kept
    }

    var camera: ConfiguredCamera
    let origin: Origin
    /// The camera's USB connection, or `nil` if the camera is not plugged in.
    var attachment: USBAttachment?
    /// The time when the camera was unplugged, or `nil` if the camera is plugged in or the time is unknown.
    var leftAt: Date?
    /// The supervisor that keeps the camera connected, or `nil` if no supervisor is running.
    var supervisor: CameraSupervisor?
    /// Whether the user has chosen to ignore the camera.
    var isIgnored = false
    /// Whether to remove the camera as soon as its supervisor has ended.
    var isForgotten = false

    /// Whether the camera should be connected now.
    var isWanted: Bool {
        guard !isIgnored, !isForgotten else { return false }
        guard !camera.isNetwork else { return true }
        return switch attachment?.classification.action {
        case .open, .check: true
        case .leave, .ignore, nil: false
        }
    }
}
