import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of uploads that stay held because their photos may belong to an earlier client.
@Suite struct UnsortedUploadTests {
    private static let style = Style(depth: .plain, hasUnicode: true, columns: 100)

    /// Returns the output without line breaks.
    private static func text(_ view: some Presentation) -> String {
        view.human(style).joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    @Test(
        arguments: [
            (0, 3, "3 uploads of photos from before the running session stay held."),
            (10, 1, "1 upload of photos from before the running session stays held."),
        ] as [(Int, Int, String)])
    func `a release reports uploads that stay held, with commands`(
        changed: Int, left: Int, sentence: String
    ) {
        let view = UploadChangeView(
            done: "released", reply: .init(changed: changed, leftUnsorted: left), json: Data())
        let text = Self.text(view)
        #expect(text.contains(sentence), "\(text)")
        #expect(text.contains("framefast queue release NUMBER…"), "\(text)")
        #expect(view.plain().last == "uploads left held, from before the session: \(left)")
    }

    @Test(
        arguments: [
            (0, 3, "3 photos from before the running session are not added."),
            (10, 1, "1 photo from before the running session is not added."),
        ] as [(Int, Int, String)])
    func `an addition reports skipped photos, with commands`(
        changed: Int, left: Int, sentence: String
    ) {
        let view = UploadChangeView(
            done: "added", reply: .init(changed: changed, leftUnsorted: left), json: Data(), isAddition: true)
        let text = Self.text(view)
        #expect(text.contains(sentence), "\(text)")
        #expect(text.contains("framefast queue add NUMBER… --to NAME"), "\(text)")
        #expect(view.plain().last == "photos not added, from before the session: \(left)")
    }

    @Test func `lists the numbers of unsorted uploads`() {
        let holds: [(Int64, UploadJobReply.Hold)] = [(7, .unsorted), (6, .person), (4, .unsorted)]
        let jobs = holds.map { id, hold in
            var job = Samples.job(id, .held)
            job.reason = "It is held."
            job.nextStep = "Look at the photo."
            job.hold = Word(hold)
            return job
        }
        let text = Self.text(QueueView(page: .init(jobs: jobs), json: Data(), now: Scenes.now))
        #expect(text.contains("Upload numbers: 7 4."), "\(text)")
        #expect(text.components(separatedBy: "Release the uploads with").count == 2, "\(text)")
    }
}
