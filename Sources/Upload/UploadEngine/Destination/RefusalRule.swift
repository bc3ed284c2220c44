import FrameFastModel

/// The rule that decides whether a refusal concerns one photo or the whole destination. The reason decides if
/// it is clear. Otherwise the decision depends on whether the destination accepts a small file instead of the
/// photo.
enum RefusalRule {
    /// The uploads that a reason applies to.
    enum Scope: Hashable, Sendable {
        /// Only this photo. Other photos may be accepted.
        case photo
        /// Every photo. The refusal says nothing about this one.
        case destination
        /// Either. Servers use this reason for both.
        case unclear
    }

    /// The result of a probe with a small file.
    enum ProbeAnswer: Hashable, Sendable {
        case taken
        case failed(UploadFailure)
        /// No probe was sent, because a file that is not a photo would disturb someone at this destination.
        case notAsked
        /// The destination reports that the refusal is about this photo.
        case meantForPhoto
    }

    static func scope(_ reason: UploadFailure.Reason) -> Scope {
        switch reason {
        case .fileGone, .fileChanged, .tooLarge: .photo
        case .unauthorised, .untrusted, .full: .destination
        // 403 can mean a file name that a filter rejects, 404 a folder with an odd name, and 405 a full disk.
        case .forbidden, .notFound, .conflict, .unprocessable, .misconfigured: .unclear
        }
    }

    /// The other photos since the first refusal of this one.
    enum Others: Hashable, Sendable {
        /// No other photo was delivered or refused.
        case none
        /// Another photo was delivered, so the destination accepts photos.
        case delivered
        /// Another photo was refused, and no photo was delivered.
        case refused
    }

    /// Returns the failure with its final kind, after a probe.
    ///
    /// A photo fails permanently only with evidence: the destination accepts a small file of the same kind,
    /// or another photo. A step after the transfer is retried once first, because the bytes are on the server
    /// and the step may succeed.
    ///
    /// - Parameter isFirst: Whether this is the photo's first refusal.
    static func classify(
        _ failure: UploadFailure, _ answer: ProbeAnswer, others: Others = .none, isFirst: Bool = false
    ) -> UploadFailure {
        guard case .permanent(let reason) = failure.kind else { return failure }
        switch (scope(reason), answer) {
        case (.photo, .failed(let said)) where reason == .tooLarge:
            return said.kind == failure.kind ? decideByOthers(reason, failure, others) : failure
        case (.photo, .notAsked) where reason == .tooLarge: return decideByOthers(reason, failure, others)
        case (.photo, _): return failure
        case (.destination, _): return asRefused(reason, failure)
        case (.unclear, .taken):
            // If the settings work for another file, they are not the reason of this refusal.
            let isRepeated = reason == .misconfigured || isFirst && failure.step?.comesAfterTransfer == true
            return isRepeated ? asTransient(failure) : failure
        case (.unclear, .meantForPhoto):
            return isAboutOneFile(reason) ? failure : asRefused(reason, failure)
        case (.unclear, .notAsked):
            return isAboutOneFile(reason)
                ? decideByOthers(reason, failure, others) : asRefused(reason, failure)
        case (.unclear, .failed(let said)):
            switch said.kind {
            case .refused(let theirs): return asRefused(theirs, said)
            case .permanent(let theirs):
                guard theirs == .unprocessable || theirs == .tooLarge else { return asRefused(theirs, said) }
                // The server may reject the small file itself. Then the other photos decide.
                return isAboutOneFile(reason)
                    ? decideByOthers(reason, failure, others) : asRefused(reason, failure)
            case .outage, .cancelled: return said
            case .transient, .sourceAway: return asTransient(failure)
            }
        }
    }

    /// Whether servers use this reason for a file rather than for an account.
    private static func isAboutOneFile(_ reason: UploadFailure.Reason) -> Bool {
        [.unprocessable, .conflict, .tooLarge].contains(reason)
    }

    private static func decideByOthers(
        _ reason: UploadFailure.Reason, _ failure: UploadFailure, _ others: Others
    ) -> UploadFailure {
        switch others {
        case .delivered: failure
        case .refused: asRefused(reason, failure)
        case .none: asTransient(failure)
        }
    }

    private static func asTransient(_ failure: UploadFailure) -> UploadFailure {
        UploadFailure(.transient, failure.sentence, nextStep: failure.nextStep, step: failure.step)
    }

    private static func asRefused(_ reason: UploadFailure.Reason, _ failure: UploadFailure) -> UploadFailure {
        UploadFailure(
            .refused(reason), failure.sentence, nextStep: failure.failedAttempt.nextStep, step: failure.step)
    }
}

extension UploadFailure.Reason {
    /// Whether servers use this reason both for one photo and for all photos.
    public var isUnclear: Bool { RefusalRule.scope(self) == .unclear }
}
