import FrameFastModel

/// Whether a refusal concerns one photo or the destination: by its reason where that says it, else by whether a small
/// file is taken in the photo's place.
enum RefusalRule {
    /// Whom a reason concerns.
    enum Scope: Hashable, Sendable {
        /// This photo; others may pass.
        case photo
        /// Every photo: nothing is known of the photo yet.
        case destination
        /// Servers say it of both.
        case unclear
    }

    /// What came of offering the destination a small file.
    enum ProbeAnswer: Hashable, Sendable {
        case taken
        case failed(UploadFailure)
        /// A file that is not a photo would disturb somebody there.
        case notAsked
    }

    static func scope(_ reason: UploadFailure.Reason) -> Scope {
        switch reason {
        case .fileGone, .fileChanged, .tooLarge: .photo
        case .unauthorised, .untrusted, .full: .destination
        // 403 may be a name that a filter dislikes, 404 a folder with an odd name, 405 a disk that is full.
        case .forbidden, .notFound, .conflict, .unprocessable, .misconfigured: .unclear
        }
    }

    /// The failure as it is after the destination was asked.
    static func judge(_ failure: UploadFailure, _ answer: ProbeAnswer) -> UploadFailure {
        guard case .permanent(let reason) = failure.kind else { return failure }
        switch (scope(reason), answer) {
        case (.photo, _): return failure
        case (.destination, _): return refused(reason, failure)
        case (.unclear, .taken):
            // Of settings that work for another file the photo cannot die.
            return reason == .misconfigured
                ? UploadFailure(.transient, failure.sentence, nextStep: failure.nextStep) : failure
        case (.unclear, .notAsked): return byReasonAlone(reason, failure)
        case (.unclear, .failed(let said)):
            switch said.kind {
            case .refused(let theirs): return refused(theirs, said)
            case .permanent(let theirs):
                // That it dislikes the small file itself says nothing of photos.
                return scope(theirs) == .photo || theirs == .unprocessable
                    ? byReasonAlone(reason, failure) : refused(theirs, said)
            case .outage, .cancelled: return said
            case .transient, .sourceAway:
                return UploadFailure(.transient, failure.sentence, nextStep: failure.nextStep)
            }
        }
    }

    private static func byReasonAlone(
        _ reason: UploadFailure.Reason, _ failure: UploadFailure
    ) -> UploadFailure {
        switch reason {
        case .forbidden, .notFound, .misconfigured: refused(reason, failure)
        default: failure
        }
    }

    private static func refused(_ reason: UploadFailure.Reason, _ failure: UploadFailure) -> UploadFailure {
        UploadFailure(.refused(reason), failure.sentence, nextStep: failure.failedAttempt.nextStep)
    }
}
