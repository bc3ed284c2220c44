import Foundation
import FrameFastAPI
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests of the options and the output of `doctor --audit`. `AuditProgramTests` runs the audit.
@Suite struct AuditTests {
    private static let missing = AuditReply.Finding(
        kind: .fileMissing, capture: 12, path: "/photos/a.jpg", sentence: "The file is missing.",
        nextStep: "Restore it.")
    private static let receipt = AuditReply.Finding(
        kind: .receiptMissing, capture: 3, job: 7, sentence: "Upload 7 has no receipt.", nextStep: "Check it."
    )

    private func view(_ findings: [AuditReply.Finding], total: Int) throws -> AuditView {
        let reply = AuditReply(
            ledger: "/state/ledger.sqlite", photos: 1_200, bytes: 8_100_000, findings: findings,
            findingsTotal: total)
        return AuditView(reply: reply, json: try WireCoder.encode(reply))
    }

    @Test func `accepts --audit, and rejects it together with --bundle`() throws {
        let verb = try #require(try Program.command(["doctor", "--audit", "--json"]) as? DoctorVerb)
        #expect(verb.audit && verb.global.json)
        #expect(throws: (any Error).self) {
            _ = try Program.command(["doctor", "--audit", "--bundle", "report.tar.gz"])
        }
    }

    @Test func `prints one finding per line in plain text`() throws {
        #expect(
            try view([Self.missing, Self.receipt], total: 2).plain() == [
                "ledger: /state/ledger.sqlite", "photos: 1200", "bytes: 8100000", "findings: 2",
                "file_missing: /photos/a.jpg (photo 12): The file is missing. Restore it.",
                "receipt_missing: Upload 7 has no receipt. Check it.",
            ])
    }

    @Test func `shows each finding with its step, and the number of omitted findings`() throws {
        let style = Style(depth: .plain, hasUnicode: false, columns: 80)
        let text = try view([Self.missing], total: 1_001).human(style).joined(separator: "\n")
        for words in [
            "1,001 findings", "1,200 photos checked, 8.1 MB", "Ledger: /state/ledger.sqlite",
            "1. Restore it.", "1,000 more findings",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        let clean = try view([], total: 0).human(style).joined(separator: "\n")
        #expect(clean.contains("The ledger, the files and the receipts agree"))
        #expect(clean.contains("Ledger: /state/ledger.sqlite"))
    }

    @Test func `shows progress before the ledger is open`() {
        #expect(
            AuditView.progress(.init(photos: 0, photosTotal: 0, bytes: 0, bytesTotal: 0))
                == "Checking the ledger")
    }

    @Test func `findings of files and uploads have the same JSON keys`() throws {
        let json = try view([Self.missing, Self.receipt], total: 2).json
        #expect(
            String(decoding: json, as: UTF8.self).contains(
                #"{"capture":12,"job":null,"kind":"file_missing","next_step":"Restore it.","path":"/photos/a.jpg","#
            ))
        #expect(try WireCoder.decode(AuditReply.self, from: json).findings == [Self.missing, Self.receipt])
    }

    @Test func `shows the error of an audit that ended without a result`() {
        let error = ErrorReply.Detail(code: .internal, message: "cannot use the ledger", nextStep: "Run it.")
        let explanation = AuditProgram.explanation(error)
        #expect(explanation.message == "cannot use the ledger" && explanation.nextStep == "Run it.")
        #expect(AuditProgram.explanation(nil).status == .failed)
    }
}
