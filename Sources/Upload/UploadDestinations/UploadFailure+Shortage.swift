import ChildProcesses
import FrameFastSystem
import SystemPackage
import UploadEngine

extension UploadFailure {
    /// Returns the failure for a program that can't start because this computer lacks resources. Returns
    /// `nil` for other errors.
    static func shortage(starting program: String, _ error: any Error) -> UploadFailure? {
        let reason: Errno? =
            switch error {
            case let error as ChildProcess.StartError: error.errno
            case let error as SystemCallError: error.errno
            case let error as Errno: error
            default: nil
            }
        guard let reason, reason.preventsStart else { return nil }
        return UploadFailure.shortage("\(program) cannot be started", reason)
    }
}
