import APIServer
import FrameFastAPI

/// Destinations, jobs, mode and storage.
extension DaemonControl {
    func destinations() async throws(ControlError) -> [DestinationReply] { throw Self.notYet }
    func testDestination(name: String) async throws(ControlError) -> DestinationTestReply {
        throw Self.notYet
    }
    func pauseDestination(name: String, _ isPaused: Bool) async throws(ControlError) -> DestinationReply {
        throw Self.notYet
    }
    func pauseUploads(_ isPaused: Bool) async throws(ControlError) -> [DestinationReply] { throw Self.notYet }
    func uploads(_ query: UploadsQuery) async throws(ControlError) -> UploadsReply { throw Self.notYet }
    func changeUploads(
        _ change: UploadChange, _ selection: UploadSelection
    ) async throws(ControlError) -> UploadChangeReply { throw Self.notYet }
    func addUploads(_ request: UploadAddRequest) async throws(ControlError) -> UploadChangeReply {
        throw Self.notYet
    }
    func mode() async throws(ControlError) -> ModeReply { throw Self.notYet }
    func setMode(_ request: ModeRequest) async throws(ControlError) -> ModeReply { throw Self.notYet }
    func storage() async throws(ControlError) -> StorageSummaryReply { throw Self.notYet }
    func clearStorage(_ request: StorageClearRequest) async throws(ControlError) -> StorageAmountReply {
        throw Self.notYet
    }

    private static var notYet: ControlError { ControlError(.unsupported, "cannot do this yet") }
}
