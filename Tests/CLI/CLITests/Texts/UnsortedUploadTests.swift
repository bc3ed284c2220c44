import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Uploads that stay held because their photos may be another client's.
@Suite struct UnsortedUploadTests {
    private static let style = Style(depth: .plain, hasUnicode: true, columns: 100)

    /// What is shown, without line breaks.
    private static func text(_ view: some Presentation) -> String {
        view.human(style).joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    @Test(
        arguments: [
            (0, 3, "3 uploads of photos from before the running session stay held."),
            (10, 1, "1 upload of photos from before the running session stays held."),
        ] as [(Int, Int, String)])
    func `a release says how many stay held, and how they are released`(
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
    func `an addition says how many photos are left out, and how they are added`(
        changed: Int, left: Int, sentence: String
    ) {
        let view = UploadChangeView(
            done: "added", reply: .init(changed: changed, leftUnsorted: left), json: Data(), isAddition: true)
        let text = Self.text(view)
        #expect(text.contains(sentence), "\(text)")
        #expect(text.contains("framefast queue add NUMBER… --to NAME"), "\(text)")
        #expect(view.plain().last == "photos not added, from before the session: \(left)")
    }

    @Test func `the queue shows the numbers of uploads that are chosen one by one`() {
        let holds: [(Int64, UploadJobReply.Hold)] = [(7, .unsorted), (6, .person), (4, .unsorted)]
        let jobs = holds.map { id, hold in
            var job = Samples.job(id, .held)
            job.reason = "It is held."
            job.nextStep = "Look at the photo."
            job.hold = hold
            return job
        }
        let text = Self.text(QueueView(page: .init(jobs: jobs), json: Data()))
        #expect(text.contains("Their numbers: 7 4."), "\(text)")
        #expect(text.components(separatedBy: "Release them with").count == 2, "\(text)")
    }
}
