import Cameras
import FrameFastAPI
import FrameFastModel
import Store

/// Which camera a person means who says its id or its name: the one place where a name leads to an id.
struct CameraLookup {
    let registry: CameraRegistry
    let ledger: LedgerStore

    /// A camera of the fleet. An id goes before a name that is the same word.
    func camera(_ reference: CameraReference) throws(ControlError) -> CameraStatus {
        guard let status = status(reference) else { throw unknown(reference) }
        return status
    }

    /// The camera that photos on record are asked for by; `nil` for all cameras. A name stands for the camera that has it now,
    /// else for the one that was forgotten under it last.
    ///
    /// - Returns: the word as an id when nobody has it: there are no photos of that one.
    func onRecord(_ reference: CameraReference?) async throws(ControlError) -> CameraID? {
        guard let reference else { return nil }
        if let status = status(reference) { return status.id }
        let id = CameraID(rawValue: reference.rawValue)
        let known = try await ledger.asking { try await $0.knownCameras().map(\.camera) }
        if known.contains(where: { $0.id == id }) { return id }
        return known.first { $0.name == reference.rawValue }?.id ?? id
    }

    /// There is no camera of this word.
    func unknown(_ reference: CameraReference) -> ControlError {
        let names = registry.all.map(\.name).joined(separator: ", ")
        return ControlError(
            .notFound, "there is no camera '\(reference)'",
            nextStep: names.isEmpty
                ? "Plug one in, or follow 'framefast connect'." : "Known cameras: \(names).")
    }

    private func status(_ reference: CameraReference) -> CameraStatus? {
        registry.camera(CameraID(rawValue: reference.rawValue))
            ?? registry.all.first { $0.name == reference.rawValue }
    }
}
