import FrameFastModel
import Store
import Synchronization

/// The newest photo of each camera that is on disk.
final class NewestCaptures: Sendable {
    private let known = Mutex<[CameraID: CaptureRecord]>([:])

    /// The newest photo of a camera, as far as it was met or looked up.
    func capture(of camera: CameraID) -> CaptureRecord? { known.withLock { $0[camera] } }

    /// A photo was saved.
    func remember(_ record: CaptureRecord, of camera: CameraID) {
        known.withLock { if $0[camera]?.id ?? 0 <= record.id { $0[camera] = record } }
    }

    /// Looks up a camera of which no photo was met yet.
    func lookUp(_ camera: CameraID, in ledger: LedgerStore) async throws {
        guard capture(of: camera) == nil else { return }
        let record = try await ledger.lastSaved(camera: camera)
        known.withLock { $0[camera] = $0[camera] ?? record }
    }
}
