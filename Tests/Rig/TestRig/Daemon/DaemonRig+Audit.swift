import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Store
import Testing

extension DaemonRig {
    /// Runs the audit of `framefast doctor --audit` after the service ended, and records an issue for each
    /// finding that the test does not expect.
    func audit(_ sourceLocation: SourceLocation) async {
        var sentences: [String] = []
        do { sentences = try await findings() } catch { sentences = ["\(error)"] }
        for sentence in sentences {
            Issue.record(
                Comment(rawValue: "\(PhotoComparison.tag)audit: \(sentence)"), sourceLocation: sourceLocation)
        }
    }

    /// Compares the ledger with the files and the receipts, and changes nothing.
    ///
    /// - Returns: The findings that the test does not expect and that are not temporary.
    private func findings() async throws -> [String] {
        let path = folder.path("state/ledger.sqlite")
        // A service that could not start has no ledger.
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        // SQLite creates files next to a database that it opens. The audit therefore opens a copy.
        let copies = try ScratchFolder()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: copies.path("ledger.sqlite" + suffix))
        }
        let ledger = try LedgerReader(path: copies.path("ledger.sqlite"))
        let audit = CaptureAudit(
            ledger: ledger, incomingFolder: captures + "/.framefast/incoming", clock: .system,
            isServiceRunning: { false })
        var sentences: [String] = []
        for finding in try await audit.run().findings where expectedFindings[finding.kind] == nil {
            guard try !Self.isTemporary(finding, in: ledger) else { continue }
            let subject = [finding.capture.map { "photo \($0)" }, finding.path].compactMap { $0 }
            sentences.append(
                "\(finding.kind.rawValue): \(subject.joined(separator: ", ")): \(finding.sentence)")
        }
        return sentences
    }

    /// Whether the next start of the service, or the next connection of the camera, corrects the finding.
    private static func isTemporary(_ finding: AuditFinding, in ledger: LedgerReader) throws -> Bool {
        switch finding.kind {
        case .leftPublishing:
            // The service was killed, or its ledger failed, while the service saved the photo.
            return true
        case .sizeDiffers, .bytesDiffer:
            // A second reading replaces the file before the ledger records the new bytes.
            guard let id = finding.capture else { return false }
            return try ledger.capture(id)?.verified == .awaitingReread
        case .fileMissing, .fileUnreadable, .pathShared, .partLeftOver, .receiptMissing,
            .receiptWithoutPhoto, .jobWithoutPhoto:
            return false
        }
    }
}
