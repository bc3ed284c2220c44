import FrameFastModel

/// The rule that decides whether a refusal concerns one photo or the whole destination. If the reason is
/// unclear or the photo is too large, the runner uploads a small file as a probe, and the rule uses the
/// probe's result. For all other reasons, the rule uses only the reason.
enum RefusalRule {
    /// The uploads that a refusal concerns.
    enum Scope: Hashable, Sendable {
        /// The refusal concerns only this photo. The destination may accept other photos.
        case photo
        /// The refusal concerns every photo. The cause is not this photo.
        case destination
        /// Unknown, because servers use the same reason for one photo and for all photos.
        case unclear
    }

    /// The result of a probe with a small file.
    enum ProbeResult: Hashable, Sendable {
        case accepted
        case failed(UploadFailure)
        /// No probe was sent, because the destination would treat the small file as a photo.
        case notProbed
        /// The destination reports that the refusal is about this photo.
        case meantForPhoto
    }

    static func scope(_ reason: UploadFailure.Reason) -> Scope {
        switch reason {
        case .fileGone, .fileChanged, .tooLarge: .photo
        case .unauthorised, .untrusted, .full: .destination
        // For example, 403 can mean a rejected file name, 404 an unsupported folder name, and 405 a full
        // disk.
        case .forbidden, .notFound, .conflict, .unprocessable, .misconfigured: .unclear
        }
    }

    /// The results of other photos since the first refusal of this photo.
    enum OtherResults: Hashable, Sendable {
        /// No other photo was delivered or refused.
        case none
        /// Another photo was delivered, so the destination accepts photos.
        case delivered
        /// Another photo was refused, and no photo was delivered.
        case refused
    }

    /// Returns the failure with its final kind, after a probe.
    ///
    /// If the reason is unclear, the failure stays permanent if the destination accepts a small file of the
    /// same kind. If the probe does not decide, another delivered photo does. If a step after the transfer
    /// was refused, the upload is first retried once. The server already has the bytes, so the retry only
    /// repeats that step.
    ///
    /// - Parameter isFirst: Whether this is the photo's first refusal.
    static func classify(
        _ failure: UploadFailure, _ result: ProbeResult, others: OtherResults = .none, isFirst: Bool = false
    ) -> UploadFailure {
        guard case .permanent(let reason) = failure.kind else { return failure }
        switch (scope(reason), result) {
        case (.photo, .failed(let probeFailure)) where reason == .tooLarge:
            return probeFailure.kind == failure.kind ? decideByOthers(reason, failure, others) : failure
        case (.photo, .notProbed) where reason == .tooLarge: return decideByOthers(reason, failure, others)
        case (.photo, _): return failure
        case (.destination, _): return asRefused(reason, failure)
        case (.unclear, .accepted):
            // The destination accepted the probe with the same settings, so the settings are not the reason.
            let isRepeated = reason == .misconfigured || isFirst && failure.step?.comesAfterTransfer == true
            return isRepeated ? asTransient(failure) : withSizeAdvice(reason, failure)
        case (.unclear, .meantForPhoto):
            return isAboutOneFile(reason) ? failure : asRefused(reason, failure)
        case (.unclear, .notProbed):
            return isAboutOneFile(reason)
                ? decideByOthers(reason, failure, others) : asRefused(reason, failure)
        case (.unclear, .failed(let probeFailure)):
            switch probeFailure.kind {
            case .refused(let probeReason): return asRefused(probeReason, probeFailure)
            case .permanent(let probeReason):
                guard probeReason == .unprocessable || probeReason == .tooLarge else {
                    return asRefused(probeReason, probeFailure)
                }
                // The server may refuse the probe because of its content. The results of other photos then
                // decide.
                return isAboutOneFile(reason)
                    ? decideByOthers(reason, failure, others) : asRefused(reason, failure)
            case .outage, .cancelled: return probeFailure
            case .transient, .sourceAway: return asTransient(failure)
            }
        }
    }

    /// Returns a failure with advice about the size and name, if the location of a photo seems to be missing
    /// although the destination accepts a small file there. IIS responds with 404 to a request above
    /// `maxAllowedContentLength` (substatus 404.13). Other servers can refuse a name in this way.
    private static func withSizeAdvice(
        _ reason: UploadFailure.Reason, _ failure: UploadFailure
    ) -> UploadFailure {
        guard reason == .notFound, failure.step == .send else { return failure }
        var failure = failure
        failure.nextStep =
            "The destination accepts a small file in the same folder. Check its size limit (IIS responds with 404 "
            + "to a file above 30 MB by default) and the photo's name, then retry."
        return failure
    }

    /// Returns whether servers usually give this reason for a single file instead of for the whole account.
    private static func isAboutOneFile(_ reason: UploadFailure.Reason) -> Bool {
        [.unprocessable, .conflict, .tooLarge].contains(reason)
    }

    private static func decideByOthers(
        _ reason: UploadFailure.Reason, _ failure: UploadFailure, _ others: OtherResults
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
