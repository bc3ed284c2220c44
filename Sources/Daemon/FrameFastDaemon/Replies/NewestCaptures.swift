import FrameFastModel
import Store
import Synchronization

/// The newest saved photo of each camera.
final class NewestCaptures: Sendable {
    private struct State {
        var records: [CameraID: CaptureRecord] = [:]
        /// The cameras that were queried, each with its camera body at that time. If the body changes, the
        /// camera is queried again.
        ///
        /// Includes cameras without photos, because each query for such a camera reads every photo in the
        /// ledger.
        var lookedUp: [CameraID: BodyID?] = [:]

        mutating func remember(_ record: CaptureRecord, of camera: CameraID) {
            if records[camera]?.id ?? 0 <= record.id { records[camera] = record }
        }
    }
    private let state = Mutex(State())

    /// Returns the newest photo of a camera, if the photo was saved or queried since the start.
    func capture(of camera: CameraID) -> CaptureRecord? { state.withLock { $0.records[camera] } }

    /// Records a saved photo.
    func remember(_ record: CaptureRecord, of camera: CameraID) {
        state.withLock { $0.remember(record, of: camera) }
    }

    /// Forgets a photo that is no longer saved. The next query finds the newest photo of its camera.
    func forget(_ id: CaptureID, of camera: CameraID) {
        state.withLock { state in
            guard state.records[camera]?.id == id else { return }
            state.records[camera] = nil
            state.lookedUp.removeValue(forKey: camera)
        }
    }

    /// Queries the newest photos of cameras, in one query. Skips cameras that were already queried with the
    /// same body.
    ///
    /// - Parameter cameras: The cameras, each with its body in the ledger, or `nil` if it was never
    ///   connected.
    func lookUp(_ cameras: [(id: CameraID, body: BodyID?)], in ledger: LedgerStore) async throws {
        let unknown = state.withLock { state in
            cameras.filter { state.lookedUp[$0.id] != .some($0.body) }
        }
        guard !unknown.isEmpty else { return }
        let found = try await ledger.lastSaved(cameras: unknown.map(\.id))
        state.withLock { state in
            for camera in unknown { state.lookedUp.updateValue(camera.body, forKey: camera.id) }
            // A photo that was saved during the query has a higher number, and `remember` keeps that photo.
            for (camera, record) in found { state.remember(record, of: camera) }
        }
    }
}
