import ChildProcesses
import UploadEngine

/// A mapping from refusals of an SFTP server to upload failures.
enum SFTPFailureMapping {
    /// Returns the failure for a status.
    static func failure(
        status: SFTPStatus, text: String, path: String, at step: UploadStep = .send
    ) -> UploadFailure {
        var failure = rule(status: status.isMissing ? .noSuchFile : status, text: text, path: path, at: step)
        failure.step = step
        return failure
    }

    private static func rule(
        status: SFTPStatus, text: String, path: String, at step: UploadStep
    ) -> UploadFailure {
        let detail = text.isEmpty ? "" : " (\(oneLine(ServerWords.withoutSecrets(text), max: 120)))"
        let place = oneLine(path)
        switch status {
        case .permissionDenied:
            return UploadFailure(
                .permanent(.forbidden),
                "the server \(step == .send ? "denied write permission: it " : "")refuses "
                    + "\(step.infinitive(place))\(detail)",
                nextStep: step.advice)
        case .noSuchFile where ![.send, .makeFolder].contains(step):
            return UploadFailure(
                .permanent(.notFound),
                "the server has no such file and refuses \(step.infinitive(place))\(detail)",
                nextStep: step.advice)
        case .noSuchFile:
            return UploadFailure(
                .permanent(.notFound),
                "the folder of \(place) does not exist and cannot be created\(detail)",
                nextStep: "Create the folder on the server, or choose another folder.")
        case SFTPStatus(rawValue: 5):
            return UploadFailure(
                .permanent(.unprocessable), "the server does not accept the name \(place)\(detail)",
                nextStep: "Choose shorter names for this destination.")
        case SFTPStatus(rawValue: 6), SFTPStatus(rawValue: 7):
            return UploadFailure(
                .outage(retryAfterSeconds: nil), "the server lost its connection\(detail)")
        case .unsupported:
            return UploadFailure(
                .permanent(.misconfigured),
                "the server does not support the request \(step.infinitive(place))\(detail)",
                nextStep: step.advice)
        default:
            return UploadFailure(.transient, "the server failed \(step.infinitive(place))\(detail)")
        }
    }

    /// Returns the failure if the server's disk is the cause, or `nil` for any other cause.
    static func failure(space: SFTPFileSystem, needing bytes: UInt64) -> UploadFailure? {
        if space.isReadOnly {
            return UploadFailure(
                .permanent(.forbidden), "the server's disk is mounted read-only",
                nextStep: "Mount the disk read-write.")
        }
        guard space.bytesFree < max(bytes, 65_536) || space.filesFree == 0 else { return nil }
        return .full("the server's disk is full")
    }
}
