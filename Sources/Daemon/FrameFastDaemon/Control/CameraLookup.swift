import Cameras
import FrameFastAPI
import FrameFastModel
import Store

/// A lookup of cameras by id or name. All lookups by name use this type.
struct CameraLookup {
    let registry: CameraRegistry
    let ledger: LedgerStore

    /// Returns the camera with this id or name. An id takes precedence over an equal name.
    func camera(_ reference: CameraReference) throws(ControlError) -> CameraStatus {
        guard let status = status(reference) else { throw notFoundError(reference) }
        return status
    }

    /// Returns the id under which the ledger stores a camera's photos. Returns `nil`, which means all
    /// cameras, if `reference` is `nil`.
    ///
    /// A name resolves to the camera that currently has the name. If no camera has the name, the name
    /// resolves to the forgotten camera with this name that was seen last.
    ///
    /// - Returns: The reference itself as an id if no camera matches. The ledger has no photos of that id.
    func recordedCameraID(_ reference: CameraReference?) async throws(ControlError) -> CameraID? {
        guard let reference else { return nil }
        if let status = status(reference) { return status.id }
        let id = CameraID(rawValue: reference.rawValue)
        let known = try await ledger.mapErrors { try await $0.knownCameras().map(\.camera) }
        if known.contains(where: { $0.id == id }) { return id }
        return known.first { $0.name == reference.rawValue }?.id ?? id
    }

    /// Returns the error for a reference that matches no camera.
    func notFoundError(_ reference: CameraReference) -> ControlError {
        let names = registry.all.map(\.name).joined(separator: ", ")
        return ControlError(
            .notFound, "there is no camera '\(reference)'",
            nextStep: names.isEmpty
                ? "Plug in a camera, or follow 'framefast connect'." : "Known cameras: \(names).")
    }

    private func status(_ reference: CameraReference) -> CameraStatus? {
        registry.camera(CameraID(rawValue: reference.rawValue))
            ?? registry.all.first { $0.name == reference.rawValue }
    }
}
