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
        (.tooLarge, .taken, .permanent(.tooLarge)), (.tooLarge, .notAsked, .permanent(.tooLarge)),
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
        // The probe itself is what is disliked: that says nothing.
        (.unprocessable, .failed(failure(.permanent(.unprocessable))), .permanent(.unprocessable)),
        (.conflict, .failed(failure(.permanent(.unprocessable))), .permanent(.conflict)),
        (.forbidden, .failed(failure(.permanent(.unprocessable))), .refused(.forbidden)),
        // Where nobody can be asked, careful: only what is said of one file fails it.
        (.forbidden, .notAsked, .refused(.forbidden)), (.notFound, .notAsked, .refused(.notFound)),
        (.misconfigured, .notAsked, .refused(.misconfigured)),
        (.conflict, .notAsked, .permanent(.conflict)),
        (.unprocessable, .notAsked, .permanent(.unprocessable)),
        // The question came to nothing.
        (.forbidden, .failed(failure(away)), away), (.forbidden, .failed(failure(.transient)), .transient),
        (.forbidden, .failed(failure(.cancelled)), .cancelled),
    ]

    @Test(arguments: table)
    func `a refusal concerns the photo or the destination`(row: (UploadFailure.Reason, Answer, Kind)) {
        let judged = RefusalRule.judge(Self.failure(.permanent(row.0)), row.1)
        #expect(judged.kind == row.2)
        #expect(judged.failedAttempt.nextStep != nil || judged.kind == .cancelled)
    }

    @Test(arguments: [away, .transient, .cancelled, .sourceAway])
    func `what is no refusal stays what it is`(kind: Kind) {
        #expect(RefusalRule.judge(Self.failure(kind), .notAsked).kind == kind)
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
