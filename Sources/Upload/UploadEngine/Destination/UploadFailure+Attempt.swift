import FrameFastModel

extension UploadFailure {
    /// The result of a probe that threw this failure.
    var probeResult: Breaker.ProbeResult {
        switch kind {
        case .refused: .refused
        // A probe that fails for one of these reasons proves that the destination is reachable. Uploads may
        // still work, because they need no read permission. The trial job tests the upload itself.
        case .permanent(.forbidden), .permanent(.conflict), .permanent(.unprocessable), .permanent(.tooLarge):
            .reached
        case .permanent: .refused
        case .outage, .transient, .cancelled, .sourceAway: .away
        }
    }

    /// The failure as a value for the ledger.
    var failedAttempt: FailedAttempt {
        let kind: FailedAttempt.Kind =
            switch self.kind {
            case .outage(let seconds): .outage(retryAfterSeconds: seconds)
            case .transient: .transient
            case .permanent(let reason): .permanent(reason: reason.rawValue)
            case .refused: .refused
            case .sourceAway: .sourceAway
            case .cancelled: .cancelled
            }
        return FailedAttempt(kind, sentence, nextStep: nextStep ?? defaultNextStep)
    }

    /// The next step if the destination provides none.
    private var defaultNextStep: String? {
        let reason: Reason
        switch kind {
        case .outage: return "Check the server and the network. FrameFast retries automatically."
        case .transient: return "FrameFast retries automatically. If the failure persists, check the network."
        case .cancelled: return nil
        case .sourceAway: return "Uploads resume automatically as soon as the file can be read."
        case .permanent(let permanent), .refused(let permanent): reason = permanent
        }
        return switch reason {
        case .fileGone:
            "Restore the file, or drop the upload. FrameFast uploads a restored file automatically."
        case .fileChanged: "Restore the saved file and retry, or drop the upload."
        case .unauthorised: "Correct the destination's password, key or token, then retry."
        case .forbidden: "Give the destination's user write permission, then retry."
        case .notFound: "Create the bucket or folder, or correct the destination's path, then retry."
        case .conflict: "Remove the file or folder that uses the name at the destination, then retry."
        case .tooLarge: "Raise the destination's size limit, then retry, or drop the upload."
        case .unprocessable:
            "Drop the upload. To exclude such files in the future, add a rule to the destination."
        case .untrusted:
            "Verify the server's identity, then correct the destination's certificate or host key."
        case .misconfigured: "Correct the destination's settings, then retry."
        case .full: Self.stepWhenFull
        }
    }
}
