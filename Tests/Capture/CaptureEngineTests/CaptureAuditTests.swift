import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine
@testable import Store

/// Tests of the audit of a ledger with three photos.
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

    private func audit(
        at now: Date = Date(), isServiceRunning: Bool = true,
        onPause: @escaping @Sendable () async throws -> Void = {}
    ) throws -> CaptureAudit {
        var clock = HostClock.system
        clock.now = { now }
        clock.sleep = { _ in try await onPause() }
        return CaptureAudit(
            ledger: try LedgerReader(path: scratch.path("ledger.sqlite")), incomingFolder: incoming,
            clock: clock, settle: .zero, isServiceRunning: { isServiceRunning })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The expected finding, or `nil` if the audit must find nothing.
        var kind: AuditFindingKind?
        /// Changes the second photo.
        var apply: @Sendable (_ path: String) throws -> Void
    }

    static let rows = [
        Row(testDescription: "unchanged", kind: nil) { _ in },
        Row(testDescription: "a file without a record", kind: nil) {
            try Data("x".utf8).write(to: URL(filePath: $0 + ".txt"))
        },
        Row(testDescription: "removed", kind: .fileMissing) {
            try FileManager.default.removeItem(atPath: $0)
        },
        Row(testDescription: "truncated", kind: .sizeDiffers) {
            try Data("pho".utf8).write(to: URL(filePath: $0))
        },
        Row(testDescription: "other bytes", kind: .bytesDiffer) {
            try Data("photoX".utf8).write(to: URL(filePath: $0))
        },
        Row(testDescription: "a folder", kind: .fileUnreadable) {
            try FileManager.default.removeItem(atPath: $0)
            try DurableFile.createFolder($0)
        },
        Row(testDescription: "a symbolic link", kind: .fileUnreadable) {
            try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".moved")
            try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0 + ".moved")
        },
    ]

    @Test(arguments: rows)
    func `compares each photo with its file`(row: Row) async throws {
        let second = try await save()[1]
        let path = try #require(second.path)
        try row.apply(path)
        var steps: [CaptureAudit.Progress] = []
        let report = try await audit().run { steps.append($0) }
        #expect(report.findings.map(\.kind) == (row.kind.map { [$0] } ?? []))
        #expect(report.findings.allSatisfy { $0.path == path && $0.capture == second.id })
        if row.kind == .fileUnreadable {
            #expect(report.findings.first?.sentence == "The path is not a regular file.")
            #expect(report.findings.first?.nextStep == "Move the photo back to this path.")
        }
        #expect(report.findingsTotal == report.findings.count)
        #expect(report.progress.photos == 3 && report.progress.bytes == 18)
        #expect(report.progress.photosTotal == 3 && report.progress.bytesTotal == 18)
        #expect(steps.map(\.photos) == steps.map(\.photos).sorted())
        #expect(steps.last == report.progress)
    }

    @Test func `ignores a difference that disappears during the audit`() async throws {
        let path = try #require(try await save()[0].path)
        let file = URL(filePath: path)
        let bytes = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        let report = try await audit().run { progress in
            if progress.photos == 2 { try? bytes.write(to: file) }
        }
        #expect(report.findings == [])
    }

    @Test func `recommends connecting the camera for a photo that awaits a second reading`() async throws {
        let photo = EarlierPhoto(object: object("A.JPG"), bytes: Data("photoA".utf8), awaitsReread: true)
        let id = try await photo.save(in: ledger, scratch.url.path)
        let path = try #require(try await ledger.capture(id: id)?.path)
        try Data("photoX".utf8).write(to: URL(filePath: path))
        let findings = try await audit().run().findings
        #expect(findings.map(\.kind) == [.bytesDiffer])
        #expect(findings.first?.nextStep == "Connect the camera. FrameFast reads the photo again.")
    }

    @Test func `reports the folder of part files if the folder cannot be listed`() async throws {
        _ = try await save()
        try FileManager.default.removeItem(atPath: incoming)
        // Even root cannot open a symbolic link to itself.
        try FileManager.default.createSymbolicLink(atPath: incoming, withDestinationPath: incoming)
        let findings = try await audit().run().findings
        #expect(findings.map(\.kind) == [.fileUnreadable])
        #expect(findings.first?.path == incoming)
    }

    /// Starts the publishing of a photo.
    private func beginPublishing() async throws -> (id: CaptureID, path: String) {
        let seen = try await ledger.recordSeen([object("A.JPG")], camera: "a", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        let path = scratch.path("photos/a.jpg")
        _ = try await ledger.beginPublishing(
            [Arrival(id: id, bytes: 5, sha256: "aa", transferMs: 1)],
            naming: .init(counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2))
        return (id, path)
    }

    @Test(arguments: [(true, CaptureAudit.publishingChecks), (false, 0)])
    func `reports a photo stuck in the publishing state`(isServiceRunning: Bool, pauses: Int) async throws {
        let path = try await beginPublishing().path
        let paused = Mutex(0)
        let audit = try self.audit(isServiceRunning: isServiceRunning) { paused.withLock { $0 += 1 } }
        let report = try await audit.run()
        #expect(report.findings.map(\.kind) == [.leftPublishing])
        #expect(report.findings.first?.path == path)
        #expect(report.progress.photos == 0)
        #expect(paused.withLock(\.self) == pauses)
    }

    @Test func `ignores a photo whose publishing ends after several pauses`() async throws {
        let id = try await beginPublishing().id
        let paused = Mutex(0)
        let audit = try self.audit { [ledger] in
            paused.withLock { $0 += 1 }
            if paused.withLock(\.self) == 3 { try await ledger.returnToSeen(id: id) }
        }
        let report = try await audit.run()
        #expect(report.findings == [])
        #expect(paused.withLock(\.self) == 3)
    }

    /// The copy ends during the 20th pause.
    @Test(arguments: [(true, 20), (false, 19 + CaptureAudit.publishingChecks)])
    func `waits while the service copies a photo to another disk`(
        endsPublishing: Bool, pauses: Int
    ) async throws {
        let id = try await beginPublishing().id
        let part = "\(incoming)/\(id)-ab.part"
        try DurableFile.write(Array("x".utf8), new: part)
        let locked = open(part, O_RDONLY | O_CLOEXEC)
        defer { close(locked) }
        try #require(flock(locked, LOCK_SH | LOCK_NB) == 0)
        let paused = Mutex(0)
        let audit = try self.audit { [ledger] in
            paused.withLock { $0 += 1 }
            guard paused.withLock(\.self) == 20 else { return }
            _ = flock(locked, LOCK_UN)
            if endsPublishing { try await ledger.returnToSeen(id: id) }
        }
        let findings = try await audit.run().findings
        #expect(findings.map(\.kind) == (endsPublishing ? [] : [.leftPublishing]))
        #expect(paused.withLock(\.self) == pauses)
    }

    /// A copy to a disk that no longer responds does not end.
    @Test func `reports a photo whose copy does not end`() async throws {
        let part = "\(incoming)/\(try await beginPublishing().id)-ab.part"
        try DurableFile.write(Array("x".utf8), new: part)
        let locked = open(part, O_RDONLY | O_CLOEXEC)
        defer { close(locked) }
        try #require(flock(locked, LOCK_SH | LOCK_NB) == 0)
        #expect(try await audit().run().findings.map(\.kind) == [.leftPublishing])
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

    @Test func `limits the findings in a report but counts all findings`() {
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
    func `reports each kind of upload fault`(isDelivered: Bool, hasPhoto: Bool, kind: AuditFindingKind) {
        let finding = CaptureAudit.finding(
            LedgerReader.UploadFault(
                job: 7, capture: 3, destination: "nas", isDelivered: isDelivered, hasPhoto: hasPhoto))
        #expect(finding.kind == kind && finding.job == 7 && finding.capture == 3)
        #expect(finding.sentence.hasPrefix("Upload 7 to nas "))
    }
}
