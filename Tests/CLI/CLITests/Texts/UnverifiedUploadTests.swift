import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of the labels of deliveries that the daemon could not verify.
@Suite struct UnverifiedUploadTests {
    private static let label = "not verified by the server"

    private static func delivered(
        _ id: Int64, to destination: DestinationName, _ proof: UploadJobReply.Proof, _ evidence: String
    ) -> UploadJobReply {
        var job = Samples.job(id, .delivered, to: destination)
        job.proof = Word(proof)
        job.evidence = evidence
        return job
    }

    private static let page = UploadsReply(
        jobs: [
            delivered(4, to: "agency", .word, label), delivered(3, to: "nas", .checksum, "sha256 00ff"),
            delivered(2, to: "agency", .word, label), delivered(1, to: "print", .word, "exit 0"),
        ])

    @Test func `reports unverified deliveries once for each destination`() {
        let style = Style(depth: .plain, hasUnicode: true, columns: 100)
        let text = QueueView(page: Self.page, json: Data(), now: Scenes.now).human(style).joined(
            separator: "\n")
        #expect(text.contains("agency: delivered, \(Self.label) (2 uploads)"), "\(text)")
        #expect(text.contains("print: delivered, exit 0 (1 upload)"), "\(text)")
        #expect(text.components(separatedBy: Self.label).count == 2, "\(text)")
        #expect(!text.contains("nas: delivered"), "\(text)")
    }

    @Test func `labels each unverified upload in plain text and JSON`() throws {
        let lines = QueueView(page: Self.page, json: Data(), now: Scenes.now).plain()
        #expect(lines.contains("upload 4 verified by: word, \(Self.label)"), "\(lines)")
        #expect(lines.contains("upload 3 verified by: checksum, sha256 00ff"), "\(lines)")
        let json = try JSONEncoder().encode(Self.page)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.components(separatedBy: "\"evidence\":\"\(Self.label)\"").count == 3, "\(text)")
        #expect(text.components(separatedBy: "\"proof\":\"word\"").count == 4, "\(text)")
    }
}
