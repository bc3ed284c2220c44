import ChildProcesses
import FrameFastSystem
import SystemPackage
import UploadEngine

extension UploadFailure {
    /// The failure to start a program because this computer has too little left, or `nil` for another reason.
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
