import Cameras
import FrameFastAPI
import FrameFastModel
import Store

/// Which camera a person means who says its id or its name: the one place where a name leads to an id.
struct CameraLookup {
    let registry: CameraRegistry
    let ledger: LedgerStore

    /// A camera of the fleet. An id goes before a name that is the same word.
    func camera(_ reference: CameraReference) -> CameraStatus? {
        registry.camera(CameraID(rawValue: reference.rawValue))
            ?? registry.all.first { $0.name == reference.rawValue }
    }

    /// The camera that photos on record are asked for by. A name stands for the camera that has it now, else for the one that
    /// was forgotten under it last.
    ///
    /// - Returns: the word as an id when nobody has it: there are no photos of that one.
    func onRecord(_ reference: CameraReference) async throws -> CameraID {
        if let status = camera(reference) { return status.id }
        let id = CameraID(rawValue: reference.rawValue)
        let known = try await ledger.knownCameras().map(\.camera)
        if known.contains(where: { $0.id == id }) { return id }
        return known.first { $0.name == reference.rawValue }?.id ?? id
    }
}
