import ChildProcesses
import UploadEngine

/// What a server's refusals mean for the queue.
enum SFTPTrouble {
    /// What a status means.
    static func failure(status: SFTPStatus, text: String, path: String) -> UploadFailure {
        let said = text.isEmpty ? "" : " (\(oneLine(text, max: 120)))"
        let place = oneLine(path)
        switch status {
        case .permissionDenied:
            return UploadFailure(
                .permanent(.forbidden), "the server does not let us write \(place)\(said)",
                nextStep: "Give the user the right to write there, or choose another folder.")
        case .noSuchFile:
            return UploadFailure(
                .permanent(.notFound),
                "the folder of \(place) is not there and cannot be made\(said)",
                nextStep: "Make the folder at the server, or choose another one.")
        case SFTPStatus(rawValue: 5):
            return UploadFailure(
                .permanent(.unprocessable), "the server does not take the name \(place)\(said)",
                nextStep: "Choose shorter names for this destination.")
        case SFTPStatus(rawValue: 6), SFTPStatus(rawValue: 7):
            return UploadFailure(
                .outage(retryAfterSeconds: nil), "the server lost its connection\(said)")
        case .unsupported:
            return UploadFailure(
                .permanent(.misconfigured), "the server lacks a request that uploads need\(said)",
                nextStep: "Use another SFTP server.")
        default:
            return UploadFailure(.transient, "the server failed at \(place)\(said)")
        }
    }

    /// What the state of the server's disk explains; `nil` when it explains nothing.
    static func failure(space: SFTPFileSystem, needing bytes: UInt64) -> UploadFailure? {
        if space.isReadOnly {
            return UploadFailure(
                .permanent(.forbidden), "the server's disk is mounted read-only",
                nextStep: "Mount it for writing.")
        }
        guard space.bytesFree < max(bytes, 65_536) || space.filesFree == 0 else { return nil }
        return .full("the server's disk is full")
    }
}
