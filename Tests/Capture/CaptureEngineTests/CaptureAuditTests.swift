import Foundation
import FrameFastModel
import FrameFastSystem
import TestRig
import Testing

@testable import CaptureEngine
@testable import Store

/// The audit of a ledger with three photos.
@Suite(.blocking) struct CaptureAuditTests {
    private let scratch: ScratchFolder
    private let ledger: LedgerStore
    private var incoming: String { scratch.path("photos/.framefast/incoming") }

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
        try DurableFile.createFolder(scratch.path("photos/.framefast/incoming"))
    }

    private func object(_ name: String) -> CameraObject {
        CameraObject(folder: "/store_00010001/DCIM", name: name, size: 6, cameraTime: 1)
    }

    /// Saves three photos of six bytes.
    private func save() async throws -> [CaptureRecord] {
        var records: [CaptureRecord] = []
        for name in ["A", "B", "C"] {
            let photo = EarlierPhoto(object: object("\(name).JPG"), bytes: Data("photo\(name)".utf8))
            let id = try await photo.save(in: ledger, scratch.url.path)
            records.append(try #require(try await ledger.capture(id: id)))
        }
        return records
    }

    private func audit(at now: Date = Date()) throws -> CaptureAudit {
        var clock = HostClock.system
        clock.now = { now }
        return CaptureAudit(
            ledger: try LedgerReader(path: scratch.path("ledger.sqlite")), incomingFolder: incoming,
            clock: clock, settle: .zero)
    }

    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The expected finding, or `nil` if the audit must find nothing.
        var kind: AuditFindingKind?
        /// Changes the second photo.
        var apply: @Sendable (_ path: String) throws -> Void
    }

    static let scenes = [
        Scene(testDescription: "unchanged", kind: nil) { _ in },
        Scene(testDescription: "a file without a record", kind: nil) {
            try Data("x".utf8).write(to: URL(filePath: $0 + ".txt"))
        },
        Scene(testDescription: "removed", kind: .fileMissing) {
            try FileManager.default.removeItem(atPath: $0)
        },
        Scene(testDescription: "truncated", kind: .sizeDiffers) {
            try Data("pho".utf8).write(to: URL(filePath: $0))
        },
        Scene(testDescription: "other bytes", kind: .bytesDiffer) {
            try Data("photoX".utf8).write(to: URL(filePath: $0))
        },
        Scene(testDescription: "a folder", kind: .fileUnreadable) {
            try FileManager.default.removeItem(atPath: $0)
            try DurableFile.createFolder($0)
        },
    ]

    @Test(arguments: scenes)
    func `compares each photo with its file`(scene: Scene) async throws {
        let second = try await save()[1]
        let path = try #require(second.path)
        try scene.apply(path)
        var steps: [CaptureAudit.Progress] = []
        let report = try await audit().run { steps.append($0) }
        #expect(report.findings.map(\.kind) == (scene.kind.map { [$0] } ?? []))
        #expect(report.findings.allSatisfy { $0.path == path && $0.capture == second.id })
        #expect(report.findingsTotal == report.findings.count)
        #expect(report.progress.photos == 3 && report.progress.bytes == 18)
        #expect(report.progress.photosTotal == 3 && report.progress.bytesTotal == 18)
        #expect(steps.map(\.photos) == steps.map(\.photos).sorted())
        #expect(steps.last == report.progress)
    }

    @Test func `ignores a difference that ends during the audit`() async throws {
        let path = try #require(try await save()[0].path)
        let file = URL(filePath: path)
        let bytes = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        let report = try await audit().run { progress in
            if progress.photos == 2 { try? bytes.write(to: file) }
        }
        #expect(report.findings == [])
    }

    @Test func `reports a photo whose publishing did not end`() async throws {
        let seen = try await ledger.recordSeen([object("A.JPG")], camera: "a", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        let path = scratch.path("photos/a.jpg")
        _ = try await ledger.beginPublishing(
            [Arrival(id: id, bytes: 5, sha256: "aa", transferMs: 1)],
            naming: .init(counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2))
        let report = try await audit().run()
        #expect(report.findings.map(\.kind) == [.leftPublishing])
        #expect(report.findings.first?.path == path)
        #expect(report.progress.photos == 0)
    }

    @Test func `reports old part files that no record waits for`() async throws {
        let saved = try await save()[0].id
        let seen = try await ledger.recordSeen([object("D.JPG")], camera: "a", session: nil, at: Date())
        let waiting = try #require(seen.first?.id)
        let worker = scratch.path("photos/.framefast/workers/studio")
        try DurableFile.createFolder(worker)
        let leftOver = ["\(incoming)/\(saved)-ab.part", "\(incoming)/99-ab.part", "\(worker)/98-ab.part"]
        for path in leftOver + ["\(incoming)/\(waiting)-ab.part", "\(incoming)/notes.part"] {
            try DurableFile.write(Array("x".utf8), new: path)
        }
        #expect(try await audit().run().findings == [])
        let report = try await audit(at: Date().addingTimeInterval(7_200)).run()
        #expect(report.findings.allSatisfy { $0.kind == .partLeftOver })
        #expect(Set(report.findings.compactMap(\.path)) == Set(leftOver))
        #expect(DurableFile.exists(leftOver[0]), "the audit removes nothing")
    }

    @Test func `limits the findings in a report and counts all`() {
        var report = CaptureAudit.Report(progress: .init(photosTotal: 0, bytesTotal: 0))
        for _ in 0...CaptureAudit.findingsMax {
            report.add(AuditFinding(.fileMissing, "The file is missing."))
        }
        #expect(report.findings.count == CaptureAudit.findingsMax)
        #expect(report.findingsTotal == CaptureAudit.findingsMax + 1)
    }

    @Test(
        arguments: [
            (true, true, .receiptMissing), (true, false, .receiptWithoutPhoto),
            (false, false, .jobWithoutPhoto),
        ] as [(Bool, Bool, AuditFindingKind)])
    func `names the fault of an upload`(isDelivered: Bool, hasPhoto: Bool, kind: AuditFindingKind) {
        let finding = CaptureAudit.finding(
            LedgerReader.UploadFault(
                job: 7, capture: 3, destination: "nas", isDelivered: isDelivered, hasPhoto: hasPhoto))
        #expect(finding.kind == kind && finding.job == 7 && finding.capture == 3)
        #expect(finding.sentence.hasPrefix("Upload 7 to nas "))
    }
}
