import Cameras
import FrameFastAPI

/// The conditions of a running service, for the status, the list of conditions and the doctor.
struct ConditionList: Sendable {
    let conditionBoard: ConditionBoard
    let registry: CameraRegistry

    /// The current conditions, worst first, then oldest first.
    var now: [ConditionReply] {
        conditionBoard.current.map { ConditionReply($0, cameraName: registry.name(of:)) }
    }
}
