import FrameFastModel
import Store
import Synchronization

/// The newest photo of each camera that is on disk.
final class NewestCaptures: Sendable {
    private struct State {
        var records: [CameraID: CaptureRecord] = [:]
        /// Cameras that were looked up, each with the body that it was then: another body has other photos. Also those
        /// that have none: to find that out the ledger looks at every photo.
        var lookedUp: [CameraID: BodyID?] = [:]

        mutating func remember(_ record: CaptureRecord, of camera: CameraID) {
            if records[camera]?.id ?? 0 <= record.id { records[camera] = record }
        }
    }
    private let state = Mutex(State())

    /// The newest photo of a camera, as far as it was met or looked up.
    func capture(of camera: CameraID) -> CaptureRecord? { state.withLock { $0.records[camera] } }

    /// A photo was saved.
    func remember(_ record: CaptureRecord, of camera: CameraID) {
        state.withLock { $0.remember(record, of: camera) }
    }

    /// Looks up the cameras of which that is not known yet, with one question.
    ///
    /// - Parameter cameras: Each with the body that it is in the ledger; `nil` when it was never connected.
    func lookUp(_ cameras: [(id: CameraID, body: BodyID?)], in ledger: LedgerStore) async throws {
        let unknown = state.withLock { state in
            cameras.filter { state.lookedUp[$0.id] != .some($0.body) }
        }
        guard !unknown.isEmpty else { return }
        let found = try await ledger.lastSaved(cameras: unknown.map(\.id))
        state.withLock { state in
            for camera in unknown { state.lookedUp.updateValue(camera.body, forKey: camera.id) }
            // What was saved meanwhile is newer.
            for (camera, record) in found { state.remember(record, of: camera) }
        }
    }
}
