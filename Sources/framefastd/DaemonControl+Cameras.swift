import APIServer
import FrameFastAPI
import FrameFastModel

/// Cameras that are met, named, left alone and forgotten.
extension DaemonControl {
    private static let later = ControlError(.unsupported, "cannot do this yet")
    func addCamera(_ request: CameraAddRequest) async throws(ControlError) -> CameraReply { throw Self.later }
    func renameCamera(id: String, to name: String) async throws(ControlError) -> CameraReply {
        throw Self.later
    }
    func ignoreCamera(id: String, _ isIgnored: Bool) async throws(ControlError) -> CameraReply {
        throw Self.later
    }
    func forgetCamera(id: String) async throws(ControlError) -> [CameraReply] { throw Self.later }
    func makers() async throws(ControlError) -> [MakerReply] { throw Self.later }
    func discover(_ request: DiscoveryRequest) async throws(ControlError) -> DiscoveryReply {
        throw Self.later
    }
    func diagnosis() async throws(ControlError) -> DiagnosisReply { throw Self.later }
}
