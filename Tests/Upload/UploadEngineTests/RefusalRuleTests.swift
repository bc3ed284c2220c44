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
        (.tooLarge, .taken, .hopeless(.tooLarge)), (.tooLarge, .notAsked, .hopeless(.tooLarge)),
        (.fileGone, .notAsked, .hopeless(.fileGone)), (.fileChanged, .notAsked, .hopeless(.fileChanged)),
        // Of the destination.
        (.unauthorised, .notAsked, .refused(.unauthorised)), (.unauthorised, .taken, .refused(.unauthorised)),
        (.untrusted, .notAsked, .refused(.untrusted)), (.full, .notAsked, .refused(.full)),
        (.full, .taken, .refused(.full)),
        // A small file is taken in its place: the photo is what is refused.
        (.forbidden, .taken, .hopeless(.forbidden)), (.notFound, .taken, .hopeless(.notFound)),
        (.conflict, .taken, .hopeless(.conflict)), (.unprocessable, .taken, .hopeless(.unprocessable)),
        (.misconfigured, .taken, .faulty),
        // It is refused as well: nothing is known of the photo.
        (.forbidden, .failed(failure(.hopeless(.forbidden))), .refused(.forbidden)),
        (.notFound, .failed(failure(.hopeless(.notFound))), .refused(.notFound)),
        (.misconfigured, .failed(failure(.hopeless(.misconfigured))), .refused(.misconfigured)),
        (.conflict, .failed(failure(.hopeless(.conflict))), .refused(.conflict)),
        (.unprocessable, .failed(failure(.hopeless(.full))), .refused(.full)),
        (.unprocessable, .failed(failure(.hopeless(.unauthorised))), .refused(.unauthorised)),
        // The probe itself is what is disliked: that says nothing.
        (.unprocessable, .failed(failure(.hopeless(.unprocessable))), .hopeless(.unprocessable)),
        (.conflict, .failed(failure(.hopeless(.unprocessable))), .hopeless(.conflict)),
        (.forbidden, .failed(failure(.hopeless(.unprocessable))), .refused(.forbidden)),
        // Where nobody can be asked, careful: only what is said of one file fails it.
        (.forbidden, .notAsked, .refused(.forbidden)), (.notFound, .notAsked, .refused(.notFound)),
        (.misconfigured, .notAsked, .refused(.misconfigured)),
        (.conflict, .notAsked, .hopeless(.conflict)), (.unprocessable, .notAsked, .hopeless(.unprocessable)),
        // The question came to nothing.
        (.forbidden, .failed(failure(away)), away), (.forbidden, .failed(failure(.faulty)), .faulty),
        (.forbidden, .failed(failure(.cancelled)), .cancelled),
    ]

    @Test(arguments: table)
    func `a refusal concerns the photo or the destination`(row: (UploadFailure.Reason, Answer, Kind)) {
        let judged = RefusalRule.judge(Self.failure(.hopeless(row.0)), row.1)
        #expect(judged.kind == row.2)
        #expect(judged.setback.nextStep != nil || judged.kind == .cancelled)
    }

    @Test(arguments: [away, .faulty, .cancelled, .sourceAway])
    func `what is no refusal stays what it is`(kind: Kind) {
        #expect(RefusalRule.judge(Self.failure(kind), .notAsked).kind == kind)
    }

    @Test(arguments: [
        (Kind.hopeless(.unauthorised), Breaker.ProbeAnswer.refused), (.hopeless(.untrusted), .refused),
        (.hopeless(.notFound), .refused), (.hopeless(.full), .refused), (.hopeless(.forbidden), .reached),
        (.hopeless(.unprocessable), .reached), (away, .away), (.faulty, .away),
    ])
    func `a probe says whether the destination is there`(kind: Kind, answer: Breaker.ProbeAnswer) {
        #expect(Self.failure(kind).probeAnswer == answer)
    }
}
