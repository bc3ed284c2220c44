import FrameFastModel
import Testing

@testable import UploadEngine

/// Tests of the number and the results of probes after a refusal.
@Suite struct RefusalClassifierTests {
    private static let refusal = UploadFailure(.permanent(.forbidden), "It says no.")

    private static func item(_ job: JobID) -> UploadItem {
        UploadItem(
            jobID: job, localPath: "/photos/\(job).jpg", bytes: 1, sha256: "", station: "a",
            remoteName: "\(job).jpg")
    }

    /// A destination that accepts every probe, or none.
    private actor ProbedDestination: UploadDestination {
        private(set) var probes = 0
        private let takes: Bool

        init(takes: Bool = true) { self.takes = takes }

        func upload(
            _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
        ) async throws(UploadFailure) -> UploadReceipt {
            probes += 1
            guard takes else { throw UploadFailure(.permanent(.notFound), "There is no folder.") }
            return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "")
        }

        func probe() async throws(UploadFailure) {}
        func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {}
        func close() async {}
    }

    @Test(arguments: [
        (true, UploadFailure.Kind.permanent(.forbidden)), (false, .refused(.notFound)),
    ])
    func `sends a new probe for each unclear refusal`(
        takes: Bool, kind: UploadFailure.Kind
    ) async {
        let destination = ProbedDestination(takes: takes)
        let classifier = RefusalClassifier(destination)
        for count in 1...2 {
            #expect(
                await classifier.classify(
                    Self.refusal, Self.item(1), isRefusing: false, refusalsBefore: classifier.refusalCount
                ).kind == kind)
            #expect(await destination.probes == count)
        }
    }

    @Test(arguments: [
        (UploadFailure(.transient, "Cut."), false, UploadFailure.Kind.transient),
        (UploadFailure(.permanent(.fileGone), "Gone."), false, .permanent(.fileGone)),
        (UploadFailure(.permanent(.unauthorised), "Who?"), false, .refused(.unauthorised)),
        (refusal, true, .refused(.forbidden)),
    ])
    func `sends no probe if the reason is clear or known`(
        failure: UploadFailure, isRefusing: Bool, kind: UploadFailure.Kind
    ) async {
        let destination = ProbedDestination()
        #expect(
            await RefusalClassifier(destination).classify(
                failure, Self.item(1), isRefusing: isRefusing, refusalsBefore: 0
            )
            .kind == kind)
        #expect(await destination.probes == 0)
    }

    /// A destination without probes, such as a web form.
    private struct Form: UploadDestination {
        var acceptsProbes: Bool { false }

        func upload(
            _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
        ) async throws(UploadFailure) -> UploadReceipt {
            UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "")
        }

        func probe() async throws(UploadFailure) {}
        func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {}
        func close() async {}
    }

    private static let dislike = UploadFailure(.permanent(.unprocessable), "It says no.")

    private static func classify(_ job: JobID, by classifier: RefusalClassifier) async -> UploadFailure.Kind {
        await classifier.classify(
            dislike, item(job), isRefusing: false, refusalsBefore: classifier.refusalCount
        ).kind
    }

    @Test func `a photo that is refused again fails only after another photo is delivered`() async {
        let classifier = RefusalClassifier(Form())
        #expect(await Self.classify(1, by: classifier) == .transient)
        #expect(
            await Self.classify(2, by: classifier) == .refused(.unprocessable), "a second photo is refused")
        // After the wait, the queue retries the oldest photos first.
        #expect(await Self.classify(1, by: classifier) == .transient)
        #expect(await Self.classify(2, by: classifier) == .transient)
        classifier.recordDelivery(attempt: classifier.beginAttempt())
        #expect(
            await Self.classify(1, by: classifier) == .permanent(.unprocessable),
            "a third photo was delivered")
    }

    @Test func `a delivery started before the refusal does not fail the photo`() async {
        let classifier = RefusalClassifier(Form())
        let early = classifier.beginAttempt()
        #expect(await Self.classify(1, by: classifier) == .transient)
        classifier.recordDelivery(attempt: early)
        #expect(await Self.classify(1, by: classifier) == .transient)
        classifier.recordDelivery(attempt: classifier.beginAttempt())
        #expect(await Self.classify(1, by: classifier) == .permanent(.unprocessable))
    }
}
