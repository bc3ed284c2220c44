import FrameFastModel
import Testing

@testable import UploadEngine

/// Who asks a destination whom its refusal concerns, and how often.
@Suite struct RefusalJudgeTests {
    private static let refusal = UploadFailure(.permanent(.forbidden), "It says no.")

    private static func item(_ job: JobID) -> UploadItem {
        UploadItem(
            jobID: job, localPath: "/photos/\(job).jpg", bytes: 1, sha256: "", station: "a",
            remoteName: "\(job).jpg")
    }

    /// Takes every probe, or none.
    private actor Place: UploadDestination {
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
    func `where the reason does not say, the destination is asked, each time anew`(
        takes: Bool, kind: UploadFailure.Kind
    ) async {
        let place = Place(takes: takes)
        let classifier = RefusalClassifier(place)
        for count in 1...2 {
            #expect(
                await classifier.classify(
                    Self.refusal, Self.item(1), isRefusing: false, refusalsBefore: classifier.refusalCount
                ).kind == kind)
            #expect(await place.probes == count)
        }
    }

    @Test(arguments: [
        (UploadFailure(.transient, "Cut."), false, UploadFailure.Kind.transient),
        (UploadFailure(.permanent(.fileGone), "Gone."), false, .permanent(.fileGone)),
        (UploadFailure(.permanent(.unauthorised), "Who?"), false, .refused(.unauthorised)),
        (refusal, true, .refused(.forbidden)),
    ])
    func `what the reason says, or is known already, is not asked`(
        failure: UploadFailure, isRefusing: Bool, kind: UploadFailure.Kind
    ) async {
        let place = Place()
        #expect(
            await RefusalClassifier(place).classify(
                failure, Self.item(1), isRefusing: isRefusing, refusalsBefore: 0
            )
            .kind == kind)
        #expect(await place.probes == 0)
    }

    /// Takes no small files, as a form does.
    private struct Form: UploadDestination {
        var takesProbes: Bool { false }

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

    private static func judged(_ job: JobID, by classifier: RefusalClassifier) async -> UploadFailure.Kind {
        await classifier.classify(
            dislike, item(job), isRefusing: false, refusalsBefore: classifier.refusalCount
        ).kind
    }

    @Test func `a photo that is refused once more lets the next photo tell`() async {
        let classifier = RefusalClassifier(Form())
        #expect(await Self.judged(1, by: classifier) == .transient)
        #expect(await Self.judged(2, by: classifier) == .refused(.unprocessable), "a second photo is refused")
        // After the wait of the destination the oldest photos come first again.
        #expect(await Self.judged(1, by: classifier) == .transient)
        #expect(await Self.judged(2, by: classifier) == .transient)
        classifier.recordDelivery(attempt: classifier.beginAttempt())
        #expect(
            await Self.judged(1, by: classifier) == .permanent(.unprocessable), "the third photo was taken")
    }

    @Test func `a delivery that began before the refusal is no proof against the photo`() async {
        let classifier = RefusalClassifier(Form())
        let early = classifier.beginAttempt()
        #expect(await Self.judged(1, by: classifier) == .transient)
        classifier.recordDelivery(attempt: early)
        #expect(await Self.judged(1, by: classifier) == .transient)
        classifier.recordDelivery(attempt: classifier.beginAttempt())
        #expect(await Self.judged(1, by: classifier) == .permanent(.unprocessable))
    }
}
