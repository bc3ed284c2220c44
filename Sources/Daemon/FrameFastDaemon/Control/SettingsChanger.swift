import Cameras
import FrameFastModel
import Synchronization
import WorkerProtocol

/// Changes camera settings and counts the results. All handlers change settings with this type.
final class SettingsChanger: Sendable {
    private let counts = Mutex<[CameraSettingResult.Outcome: Int]>([:])

    /// The number of changes since the service started, by result. Trial changes are not counted.
    var outcomeCounts: [CameraSettingResult.Outcome: Int] { counts.withLock { $0 } }

    /// Sends a settings request to the camera.
    func change(
        _ connection: CameraConnection, _ command: CameraSettingsCommand
    ) async throws(WorkerFailure) -> [CameraSettingResult] {
        let results = try await connection.change(command)
        if !command.isTrial {
            counts.withLock { counts in
                for result in results { counts[result.outcome, default: 0] += 1 }
            }
        }
        return results
    }
}
