import Foundation
import FrameFastModel
import Makers

/// One camera of the fleet.
struct CameraMember {
    /// Where it comes from.
    enum Origin: Hashable {
        /// Named in the configuration.
        case configured
        /// Plugged in by somebody.
        case plugged
        /// Asked for over the socket, on the network.
        case kept
    }

    var camera: ConfiguredCamera
    let origin: Origin
    /// Where it is on the USB now.
    var place: USBPlace?
    /// When it was unplugged; `nil` while it is there, or when that was not seen.
    var leftAt: Date?
    /// Who keeps it connected now.
    var supervisor: CameraSupervisor?
    /// Left alone on purpose.
    var isIgnored = false
    /// No more wanted: it goes when its supervisor has ended.
    var isForgotten = false

    /// Whether it is to be connected as things are.
    var isWanted: Bool {
        guard !isIgnored, !isForgotten else { return false }
        guard !camera.isNetwork else { return true }
        return switch place?.verdict.action {
        case .open, .check: true
        case .leave, .ignore, nil: false
        }
    }
}
