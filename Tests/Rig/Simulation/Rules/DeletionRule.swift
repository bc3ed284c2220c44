import FrameFastModel
import Synchronization

/// The rule that the service deletes a saved photo on the camera, if `delete_after_save` is configured:
/// "Whether to delete a photo from the camera after it is safely saved here" (`docs/config-reference.md`).
///
/// The service deletes a photo in the connection in which it saved the photo. The photo stays on the card if
/// this connection or the service ends first, or if the ledger cannot mark the photo as past. The mark says
/// that a new object with the same facts may be another photo.
///
/// The rule does not apply to photos that wait for a second reading, to cameras with the same serial number,
/// or to photos with misread facts: a wrong folder, size or time. The rule also does not apply to photos that
/// were being published at the start, because the service saves them without a connection.
final class DeletionRule: Sendable {
    /// A photo that was saved in a connection.
    private struct Saved: Sendable {
        var id: CaptureID
        var object: CameraObject
        var shot: SimulatedCamera.Shot
        var camera: SimulatedCamera
        var connection: UInt64
        /// The number of failed commits before the photo was saved.
        var failedCommits: Int
    }

    private let isActive: Bool
    private let cameras: [SimulatedCamera]
    private let disk: SimulatedDisk
    private let saved = Mutex<[Saved]>([])
    /// The photos that were being published when the service started.
    private let interrupted = Mutex<Set<CaptureID>>([])

    init(_ plan: SimulationPlan, _ cameras: [SimulatedCamera], _ disk: SimulatedDisk) {
        isActive = plan.deletesAfterSave && plan.verify == .structure && plan.sharedSerial == nil
        self.cameras = cameras
        self.disk = disk
    }

    /// Starts the rule for a run of the service.
    ///
    /// - Parameter records: The records at the start.
    func recordStart(_ records: [CaptureRecord]) {
        let interrupted = Set(records.filter { $0.state == .publishing }.map(\.id))
        self.interrupted.withLock { $0 = interrupted }
    }

    /// Handles a photo that the service has just saved.
    func recordSaved(_ record: CaptureRecord) {
        guard isActive, let sha256 = record.sha256, !interrupted.withLock({ $0.contains(record.id) }) else {
            return
        }
        for camera in cameras {
            guard let shot = camera.taken.first(where: { $0.sha256 == sha256 }),
                let connection = camera.connectionIdentity
            else { continue }
            let photo = Saved(
                id: record.id, object: record.object, shot: shot, camera: camera, connection: connection,
                failedCommits: disk.failedCommits)
            saved.withLock { $0.append(photo) }
        }
    }

    /// Returns the saved photos that the service must still delete.
    func waiting() -> [String] {
        let failedCommits = disk.failedCommits
        return saved.withLock(\.self).filter { photo in
            photo.failedCommits == failedCommits && photo.camera.connectionIdentity == photo.connection
                && photo.camera.has(photo.object, sha256: photo.shot.sha256)
                && !photo.camera.wasMisread(photo.shot)
        }.map { "not deleted on \($0.camera.id): capture \($0.id), \($0.object.path)" }
    }
}
