import FrameFastModel

extension UploadFailure {
    /// The result of a probe that failed with this failure.
    var probeAnswer: Breaker.ProbeAnswer {
        switch kind {
        case .refused: .refused
        // Uploads don't need permission to read. The trial job finds out whether they work, and reports its
        // own reason.
        case .permanent(.forbidden), .permanent(.conflict), .permanent(.unprocessable), .permanent(.tooLarge):
            .reached
        case .permanent: .refused
        case .outage, .transient, .cancelled, .sourceAway: .away
        }
    }

    /// The failure in the form that the job stores.
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

    /// The default next step if the destination gives none.
    private var defaultNextStep: String? {
        let reason: Reason
        switch kind {
        case .outage: return "Check the server and the network; it is retried automatically."
        case .transient: return "It is retried automatically. If this persists, check the network."
        case .cancelled: return nil
        case .sourceAway: return "Uploads resume automatically as soon as it can be read."
        case .permanent(let permanent), .refused(let permanent): reason = permanent
        }
        return switch reason {
        case .fileGone:
            "Bring the file back to its place: it is then uploaded automatically. Or drop the upload."
        case .fileChanged: "Bring the saved file back to its place and retry, or drop the upload."
        case .unauthorised: "Correct the destination's password, key or token, then retry."
        case .forbidden: "Give the destination's user the right to write there, then retry."
        case .notFound: "Make the bucket or folder, or correct the destination's path, then retry."
        case .conflict: "Move away what blocks it at the destination, then retry."
        case .tooLarge: "Raise the destination's size limit, then retry, or drop the job."
        case .unprocessable: "Drop the upload. A rule of the destination excludes such files from then on."
        case .untrusted:
            "Check whom you are talking to; then correct the destination's certificate or host key."
        case .misconfigured: "Correct the destination's settings, then retry."
        case .full: Self.stepWhenFull
        }
    }
}
