import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct RefusalRuleTests {
    typealias Kind = UploadFailure.Kind
    typealias Answer = RefusalRule.ProbeAnswer

    static func failure(_ kind: Kind) -> UploadFailure {
        UploadFailure(kind, "It said no.", nextStep: "Look.")
    }

    static let away = Kind.outage(retryAfterSeconds: nil)

    /// Reason, what came of the probe, what it means.
    static let table: [(UploadFailure.Reason, Answer, Kind)] = [
        // Of the photo, whatever a probe says.
        (.tooLarge, .taken, .permanent(.tooLarge)), (.tooLarge, .meantForPhoto, .permanent(.tooLarge)),
        // A proxy may refuse every photo for its size: without a small file the others tell.
        (.tooLarge, .notAsked, .transient),
        (.fileGone, .notAsked, .permanent(.fileGone)), (.fileChanged, .notAsked, .permanent(.fileChanged)),
        // Of the destination.
        (.unauthorised, .notAsked, .refused(.unauthorised)), (.unauthorised, .taken, .refused(.unauthorised)),
        (.untrusted, .notAsked, .refused(.untrusted)), (.full, .notAsked, .refused(.full)),
        (.full, .taken, .refused(.full)),
        // A small file is taken in its place: the photo is what is refused.
        (.forbidden, .taken, .permanent(.forbidden)), (.notFound, .taken, .permanent(.notFound)),
        (.conflict, .taken, .permanent(.conflict)), (.unprocessable, .taken, .permanent(.unprocessable)),
        (.misconfigured, .taken, .transient),
        // It is refused as well: nothing is known of the photo.
        (.forbidden, .failed(failure(.permanent(.forbidden))), .refused(.forbidden)),
        (.notFound, .failed(failure(.permanent(.notFound))), .refused(.notFound)),
        (.misconfigured, .failed(failure(.permanent(.misconfigured))), .refused(.misconfigured)),
        (.conflict, .failed(failure(.permanent(.conflict))), .refused(.conflict)),
        (.unprocessable, .failed(failure(.permanent(.full))), .refused(.full)),
        (.unprocessable, .failed(failure(.permanent(.unauthorised))), .refused(.unauthorised)),
        // The probe is refused in the same way: no photo fails for that.
        (.unprocessable, .failed(failure(.permanent(.unprocessable))), .transient),
        (.conflict, .failed(failure(.permanent(.unprocessable))), .transient),
        (.tooLarge, .failed(failure(.permanent(.tooLarge))), .transient),
        (.forbidden, .failed(failure(.permanent(.unprocessable))), .refused(.forbidden)),
        // Without an answer, no photo fails.
        (.forbidden, .notAsked, .refused(.forbidden)), (.notFound, .notAsked, .refused(.notFound)),
        (.misconfigured, .notAsked, .refused(.misconfigured)),
        (.conflict, .notAsked, .transient), (.unprocessable, .notAsked, .transient),
        // The question came to nothing.
        (.forbidden, .failed(failure(away)), away), (.forbidden, .failed(failure(.transient)), .transient),
        (.forbidden, .failed(failure(.cancelled)), .cancelled),
    ]

    @Test(arguments: table)
    func `a refusal concerns the photo or the destination`(row: (UploadFailure.Reason, Answer, Kind)) {
        let judged = RefusalRule.classify(Self.failure(.permanent(row.0)), row.1)
        #expect(judged.kind == row.2)
        #expect(judged.failedAttempt.nextStep != nil || judged.kind == .cancelled)
    }

    @Test(
        arguments: [
            (Answer.notAsked, RefusalRule.Others.delivered, Kind.permanent(.unprocessable)),
            (.notAsked, .refused, .refused(.unprocessable)), (.notAsked, .none, .transient),
            (.failed(failure(.permanent(.unprocessable))), .delivered, .permanent(.unprocessable)),
            (.failed(failure(.permanent(.unprocessable))), .refused, .refused(.unprocessable)),
            (.failed(failure(.permanent(.forbidden))), .delivered, .refused(.forbidden)),
            (.taken, .refused, .permanent(.unprocessable)),
        ])
    func `other photos tell where a small file does not`(
        answer: Answer, others: RefusalRule.Others, kind: Kind
    ) {
        let failure = Self.failure(.permanent(.unprocessable))
        #expect(RefusalRule.classify(failure, answer, others: others).kind == kind)
    }

    /// The bytes are at the server: the step may go through when it is repeated.
    @Test(arguments: UploadStep.allCases, [true, false])
    func `a photo whose step after the transfer is refused first is tried once more`(
        step: UploadStep, isFirst: Bool
    ) {
        for reason: UploadFailure.Reason in [.forbidden, .notFound, .conflict, .unprocessable] {
            let failure = UploadFailure(.permanent(reason), "It said no.", step: step)
            let judged = RefusalRule.classify(failure, .taken, isFirst: isFirst)
            #expect(
                judged.kind == (isFirst && step.comesAfterTransfer ? .transient : .permanent(reason)))
            #expect(judged.step == step)
        }
        let refused = UploadFailure(.permanent(.forbidden), "It said no.", step: step)
        #expect(
            RefusalRule.classify(refused, .failed(refused), isFirst: isFirst).kind == .refused(.forbidden),
            "the destination refuses the step for every file")
    }

    @Test(arguments: [away, .transient, .cancelled, .sourceAway])
    func `what is no refusal stays what it is`(kind: Kind) {
        #expect(RefusalRule.classify(Self.failure(kind), .notAsked).kind == kind)
    }

    @Test(arguments: [
        (Kind.permanent(.unauthorised), Breaker.ProbeAnswer.refused), (.permanent(.untrusted), .refused),
        (.permanent(.notFound), .refused), (.permanent(.full), .refused), (.permanent(.forbidden), .reached),
        (.permanent(.unprocessable), .reached), (away, .away), (.transient, .away),
    ])
    func `a probe says whether the destination is there`(kind: Kind, answer: Breaker.ProbeAnswer) {
        #expect(Self.failure(kind).probeAnswer == answer)
    }
}
