import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct RefusalRuleTests {
    typealias Kind = UploadFailure.Kind
    typealias ProbeResult = RefusalRule.ProbeResult

    static func failure(_ kind: Kind) -> UploadFailure {
        UploadFailure(kind, "It said no.", nextStep: "Look.")
    }

    static let away = Kind.outage(retryAfterSeconds: nil)

    /// Rows with the reason, the result of the probe, and the expected kind.
    static let table: [(UploadFailure.Reason, ProbeResult, Kind)] = [
        // The refusal concerns the photo.
        (.tooLarge, .accepted, .permanent(.tooLarge)), (.tooLarge, .meantForPhoto, .permanent(.tooLarge)),
        // A proxy may refuse every photo as too large. Without an accepted probe, the results of other photos
        // decide.
        (.tooLarge, .notProbed, .transient),
        (.fileGone, .notProbed, .permanent(.fileGone)), (.fileChanged, .notProbed, .permanent(.fileChanged)),
        // The refusal concerns the destination.
        (.unauthorised, .notProbed, .refused(.unauthorised)),
        (.unauthorised, .accepted, .refused(.unauthorised)),
        (.untrusted, .notProbed, .refused(.untrusted)), (.full, .notProbed, .refused(.full)),
        (.full, .accepted, .refused(.full)),
        // The destination accepts the probe. The refusal concerns the photo, except for `misconfigured`.
        (.forbidden, .accepted, .permanent(.forbidden)), (.notFound, .accepted, .permanent(.notFound)),
        (.conflict, .accepted, .permanent(.conflict)),
        (.unprocessable, .accepted, .permanent(.unprocessable)),
        (.misconfigured, .accepted, .transient),
        // The destination also refuses the probe. The refusal therefore says nothing about the photo.
        (.forbidden, .failed(failure(.permanent(.forbidden))), .refused(.forbidden)),
        (.notFound, .failed(failure(.permanent(.notFound))), .refused(.notFound)),
        (.misconfigured, .failed(failure(.permanent(.misconfigured))), .refused(.misconfigured)),
        (.conflict, .failed(failure(.permanent(.conflict))), .refused(.conflict)),
        (.unprocessable, .failed(failure(.permanent(.full))), .refused(.full)),
        (.unprocessable, .failed(failure(.permanent(.unauthorised))), .refused(.unauthorised)),
        // The destination refuses the probe for its content. No photo fails.
        (.unprocessable, .failed(failure(.permanent(.unprocessable))), .transient),
        (.conflict, .failed(failure(.permanent(.unprocessable))), .transient),
        (.tooLarge, .failed(failure(.permanent(.tooLarge))), .transient),
        (.forbidden, .failed(failure(.permanent(.unprocessable))), .refused(.forbidden)),
        // No probe was sent. No photo fails.
        (.forbidden, .notProbed, .refused(.forbidden)), (.notFound, .notProbed, .refused(.notFound)),
        (.misconfigured, .notProbed, .refused(.misconfigured)),
        (.conflict, .notProbed, .transient), (.unprocessable, .notProbed, .transient),
        // The probe failed for another reason.
        (.forbidden, .failed(failure(away)), away), (.forbidden, .failed(failure(.transient)), .transient),
        (.forbidden, .failed(failure(.cancelled)), .cancelled),
    ]

    @Test(arguments: table)
    func `classifies a refusal as the photo's or the destination's`(
        row: (UploadFailure.Reason, ProbeResult, Kind)
    ) {
        let classified = RefusalRule.classify(Self.failure(.permanent(row.0)), row.1)
        #expect(classified.kind == row.2)
        #expect(classified.failedAttempt.nextStep != nil || classified.kind == .cancelled)
    }

    /// IIS responds with 404 to a request above its limit.
    @Test(
        arguments: [
            (.notFound, .send, true), (.notFound, .rename, false), (.forbidden, .send, false),
        ] as [(UploadFailure.Reason, UploadStep, Bool)])
    func `advises a size limit if only a large file's location seems to be missing`(
        reason: UploadFailure.Reason, step: UploadStep, isAdvised: Bool
    ) {
        var failure = Self.failure(.permanent(reason))
        failure.step = step
        let classified = RefusalRule.classify(failure, .accepted)
        #expect(classified.kind == .permanent(reason))
        #expect(classified.nextStep?.contains("size limit") == isAdvised)
    }

    @Test(
        arguments: [
            (ProbeResult.notProbed, RefusalRule.OtherResults.delivered, Kind.permanent(.unprocessable)),
            (.notProbed, .refused, .refused(.unprocessable)), (.notProbed, .none, .transient),
            (.failed(failure(.permanent(.unprocessable))), .delivered, .permanent(.unprocessable)),
            (.failed(failure(.permanent(.unprocessable))), .refused, .refused(.unprocessable)),
            (.failed(failure(.permanent(.forbidden))), .delivered, .refused(.forbidden)),
            (.accepted, .refused, .permanent(.unprocessable)),
        ])
    func `without an accepted probe, other photos decide the scope of a refusal`(
        result: ProbeResult, others: RefusalRule.OtherResults, kind: Kind
    ) {
        let failure = Self.failure(.permanent(.unprocessable))
        #expect(RefusalRule.classify(failure, result, others: others).kind == kind)
    }

    /// The server already has the bytes, and a retry of the step may succeed.
    @Test(arguments: UploadStep.allCases, [true, false])
    func `retries once if a step after the transfer is refused`(
        step: UploadStep, isFirst: Bool
    ) {
        for reason: UploadFailure.Reason in [.forbidden, .notFound, .conflict, .unprocessable] {
            let failure = UploadFailure(.permanent(reason), "It said no.", step: step)
            let classified = RefusalRule.classify(failure, .accepted, isFirst: isFirst)
            #expect(
                classified.kind == (isFirst && step.comesAfterTransfer ? .transient : .permanent(reason)))
            #expect(classified.step == step)
        }
        let refused = UploadFailure(.permanent(.forbidden), "It said no.", step: step)
        #expect(
            RefusalRule.classify(refused, .failed(refused), isFirst: isFirst).kind == .refused(.forbidden),
            "the destination refuses the step for every file")
    }

    @Test(arguments: [away, .transient, .cancelled, .sourceAway])
    func `keeps the kind of a failure that is not a refusal`(kind: Kind) {
        #expect(RefusalRule.classify(Self.failure(kind), .notProbed).kind == kind)
    }

    @Test(arguments: [
        (Kind.permanent(.unauthorised), Breaker.ProbeResult.refused), (.permanent(.untrusted), .refused),
        (.permanent(.notFound), .refused), (.permanent(.full), .refused), (.permanent(.forbidden), .reached),
        (.permanent(.unprocessable), .reached), (away, .away), (.transient, .away),
    ])
    func `maps a failed probe to reached, away or refused`(kind: Kind, result: Breaker.ProbeResult) {
        #expect(Self.failure(kind).probeResult == result)
    }
}
