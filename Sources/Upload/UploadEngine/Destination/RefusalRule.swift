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
        /// The refusal is meant for this photo, as the destination says.
        case meantForPhoto
    }

    static func scope(_ reason: UploadFailure.Reason) -> Scope {
        switch reason {
        case .fileGone, .fileChanged, .tooLarge: .photo
        case .unauthorised, .untrusted, .full: .destination
        // 403 may be a name that a filter dislikes, 404 a folder with an odd name, 405 a disk that is full.
        case .forbidden, .notFound, .conflict, .unprocessable, .misconfigured: .unclear
        }
    }

    /// The other photos since the destination refused this one first.
    enum Others: Hashable, Sendable {
        /// None was delivered or refused.
        case none
        /// One was delivered: the destination takes photos.
        case delivered
        /// Another one was refused, and none was delivered.
        case refused
    }

    /// The failure after the destination was asked.
    ///
    /// A photo fails only with a proof that it is the photo: a small file of its kind goes the same way, or another photo
    /// does. A step after the transfer is repeated once before that: the bytes are there, and it may go through.
    ///
    /// - Parameter isFirst: Whether the photo was not refused before.
    static func judge(
        _ failure: UploadFailure, _ answer: ProbeAnswer, others: Others = .none, isFirst: Bool = false
    ) -> UploadFailure {
        guard case .permanent(let reason) = failure.kind else { return failure }
        switch (scope(reason), answer) {
        case (.photo, .failed(let said)) where reason == .tooLarge:
            return said.kind == failure.kind ? byOthers(reason, failure, others) : failure
        case (.photo, .notAsked) where reason == .tooLarge: return byOthers(reason, failure, others)
        case (.photo, _): return failure
        case (.destination, _): return refused(reason, failure)
        case (.unclear, .taken):
            // Settings that work for another file say nothing against the photo.
            let isRepeated = reason == .misconfigured || isFirst && failure.step?.comesAfterTransfer == true
            return isRepeated ? again(failure) : failure
        case (.unclear, .meantForPhoto):
            return isOfOneFile(reason) ? failure : refused(reason, failure)
        case (.unclear, .notAsked):
            return isOfOneFile(reason) ? byOthers(reason, failure, others) : refused(reason, failure)
        case (.unclear, .failed(let said)):
            switch said.kind {
            case .refused(let theirs): return refused(theirs, said)
            case .permanent(let theirs):
                guard theirs == .unprocessable || theirs == .tooLarge else { return refused(theirs, said) }
                // The server may dislike the small file itself: then the other photos tell.
                return isOfOneFile(reason) ? byOthers(reason, failure, others) : refused(reason, failure)
            case .outage, .cancelled: return said
            case .transient, .sourceAway: return again(failure)
            }
        }
    }

    /// Whether servers say it of a file rather than of an account.
    private static func isOfOneFile(_ reason: UploadFailure.Reason) -> Bool {
        [.unprocessable, .conflict, .tooLarge].contains(reason)
    }

    private static func byOthers(
        _ reason: UploadFailure.Reason, _ failure: UploadFailure, _ others: Others
    ) -> UploadFailure {
        switch others {
        case .delivered: failure
        case .refused: refused(reason, failure)
        case .none: again(failure)
        }
    }

    private static func again(_ failure: UploadFailure) -> UploadFailure {
        UploadFailure(.transient, failure.sentence, nextStep: failure.nextStep, step: failure.step)
    }

    private static func refused(_ reason: UploadFailure.Reason, _ failure: UploadFailure) -> UploadFailure {
        UploadFailure(
            .refused(reason), failure.sentence, nextStep: failure.failedAttempt.nextStep, step: failure.step)
    }
}

extension UploadFailure.Reason {
    /// Whether servers say it of one photo as well as of everything.
    public var isUnclear: Bool { RefusalRule.scope(self) == .unclear }
}
