import Cameras
import FrameFastModel
import Synchronization
import WorkerProtocol

/// The one way to a camera's settings for everything that changes them: it counts what became of each change.
final class SettingsChanger: Sendable {
    private let counts = Mutex<[CameraSettingResult.Outcome: Int]>([:])

    /// Changes since the service started, by how they ended; trials are none.
    var tally: [CameraSettingResult.Outcome: Int] { counts.withLock { $0 } }

    /// Carries an order out.
    func change(
        _ session: CameraSession, _ order: CameraSettingsOrder
    ) async throws(WorkerFailure) -> [CameraSettingResult] {
        let results = try await session.change(order)
        if !order.isTrial {
            counts.withLock { counts in
                for result in results { counts[result.outcome, default: 0] += 1 }
            }
        }
        return results
    }
}
