import GPhoto2
import WorkerProtocol

extension WorkerFailure {
    /// Creates a failure from an error of the driver.
    init(_ error: CameraError, during: String) {
        let kind: Kind =
            switch error.kind {
            case .busy: .busy
            case .disconnected, .linkFailure: .disconnected
            case .timeout: .timeout
            case .permission: .permission
            case .noDriver: .noDriver
            case .notFound: .objectGone
            // The driver has no error code for a missing file and uses this text (read_file_func,
            // get_file_func).
            case .badParameter: error.text.contains("does not exist") ? .objectGone : .refused
            case .unsupported: .unsupported
            case .tooLarge: .tooLarge
            case .unguarded: .unguarded
            case .refused where error.isOutOfFocus: .notFocused
            case .memory, .cancelled, .refused: .refused
            }
        self.init(kind: kind, code: error.code, during: during, text: "\(error.operation): \(error.text)")
    }
}
