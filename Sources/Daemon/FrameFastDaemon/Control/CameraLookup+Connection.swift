import Cameras
import FrameFastAPI
import FrameFastModel
import WorkerProtocol

extension CameraLookup {
    /// Returns a connected camera and its connection.
    ///
    /// - Throws: A conflict if the camera is not connected.
    func connectedCamera(
        _ reference: CameraReference
    ) throws(ControlError) -> (status: CameraStatus, connection: CameraConnection) {
        let status = try camera(reference)
        guard let connection = registry.connection(of: status.id) else {
            throw ControlError(
                .conflict, "camera '\(reference)' is not connected",
                nextStep: status.guidance?.steps.first
                    ?? "See what the camera needs with 'framefast cameras'.")
        }
        return (status, connection)
    }
}

extension ControlError {
    /// Creates the error for a request that a camera did not fulfill.
    ///
    /// - Parameters:
    ///   - doing: The verb phrase after "cannot".
    ///   - nextStep: The next step for failures without a specific next step.
    init(_ failure: WorkerFailure, _ doing: String, nextStep: String? = nil) {
        switch failure.kind {
        case .occupied:
            self.init(
                .conflict, "cannot \(doing): the camera is busy with \(Self.name(ofOperation: failure.text))",
                nextStep: "Wait for the end of the operation, or stop it with 'framefast stop'.")
        case .unsupported: self.init(.unsupported, "cannot \(doing): \(failure.text)", nextStep: nextStep)
        case .unguarded:
            self.init(
                .unsupported, "cannot \(doing): \(failure.text)",
                nextStep: "Run 'framefast doctor' to see what still works.")
        default: self.init(.cameraFailed, "cannot \(doing): \(failure.text)", nextStep: nextStep)
        }
    }

    /// Returns the name of the operation that keeps a camera busy, for a sentence.
    private static func name(ofOperation kind: String) -> String {
        switch CameraOperation.Kind(rawValue: kind) {
        case .bulb: "a long exposure"
        case .interval: "an interval"
        case .bracket: "a bracket"
        case .focusStack: "a focus stack"
        case .movie: "a movie"
        case .release: "a group shot"
        case .liveView: "live view"
        case nil: "another operation"
        }
    }
}
