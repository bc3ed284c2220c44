import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import Store
import Synchronization
import TestRig
import Testing

@testable import CaptureEngine

/// Tests of the startup repair, for each state in which a crash can leave a photo.
@Suite(.blocking) struct StartupRepairTests {
    private static let bytes = Data("whole".utf8)
    /// The hash of ``bytes``, computed by sha256sum(1).
    private static let sha256 = "5d5766cf2d78701614200418ee1450690d9af12c84d52545e4802f001ad53099"

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The content of the `.part` file, or `nil` if the file is missing.
        var part: Data?
        /// The content of the file with the final name, or `nil` if the file is missing.
        var final: Data?
        var isSaved: Bool
    }

    static let rows = [
        Row(testDescription: "before the rename", part: bytes, final: nil, isSaved: true),
        Row(testDescription: "after the rename", part: nil, final: bytes, isSaved: true),
        Row(testDescription: "the bytes were lost", part: nil, final: nil, isSaved: false),
        Row(testDescription: "the part file is short", part: Data("wh".utf8), final: nil, isSaved: false),
        Row(
            testDescription: "another file has the name", part: bytes, final: Data("other".utf8),
            isSaved: false),
        Row(
            testDescription: "a file of another size has the name", part: nil, final: Data("x".utf8),
            isSaved: false),
        Row(
            testDescription: "a file of the same size has the name", part: nil, final: Data("wrong".utf8),
            isSaved: false),
        Row(
            testDescription: "the part file holds other bytes", part: Data("wrong".utf8), final: nil,
            isSaved: false),
    ]

    /// A photo whose publishing was interrupted.
    private final class InterruptedPhoto: Sendable {
        let root = FileManager.default.temporaryDirectory.appending(path: "repair-\(UUID().uuidString)").path
        let parts: PartFiles
        let ledger: LedgerStore
        let id: CaptureID
        /// The recorded final name.
        let path: String
        private let requests = Mutex<[BodyID]>([])
        private let reports = Mutex<[CaptureRecord]>([])

        /// The bodies whose cards the repair wants to list.
        var listed: [BodyID] { requests.withLock { $0 } }
        /// The photos that the repair reported as saved.
        var saved: [CaptureRecord] { reports.withLock { $0 } }

        /// - Parameter rereads: Whether saved photos wait for their second reading.
        init(rereads: Bool = false) async throws {
            parts = PartFiles(folder: root + "/incoming", clock: .system)
            try DurableFile.createFolder(parts.folder)
            ledger = try LedgerStore(path: root + "/ledger.sqlite")
            path = root + "/sub/photo.jpg"
            id = try await StartupRepairTests.interruptPublishing(as: path, in: ledger, rereads: rereads)
        }

        func repair() -> StartupRepair {
            StartupRepair(
                ledger: ledger, parts: parts, directory: root, logger: Logger(label: "test"), clock: .system,
                requestListing: { [self] body in requests.withLock { $0.append(body) } },
                onSaved: { [self] record in reports.withLock { $0.append(record) } })
        }

        /// Writes the file with the final name.
        func writeFile(_ bytes: Data = StartupRepairTests.bytes) throws {
            try DurableFile.createFolder(root + "/sub")
            try bytes.write(to: URL(filePath: path))
        }

        func record() async throws -> CaptureRecord { try #require(try await ledger.capture(id: id)) }

        func remove() { try? FileManager.default.removeItem(atPath: root) }
    }

    /// Records a photo in state `publishing`.
    ///
    /// - Returns: The photo's number.
    private static func interruptPublishing(
        as path: String, in ledger: LedgerStore, rereads: Bool = false
    ) async throws -> CaptureID {
        let object = CameraObject(
            folder: "/DCIM", name: "IMG_1.JPG", size: UInt64(bytes.count), cameraTime: 1)
        let seen = try await ledger.recordSeen([object], camera: "a", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        _ = try await ledger.beginPublishing(
            [Arrival(id: id, bytes: UInt64(bytes.count), sha256: sha256, transferMs: 1)],
            naming: .init(
                counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2, rereads: rereads))
        return id
    }

    @Test(arguments: rows)
    func `saves or refetches an interrupted photo and removes part files`(row: Row)
        async throws
    {
        let photo = try await InterruptedPhoto()
        defer { photo.remove() }
        let (path, parts) = (photo.path, photo.parts)
        if let part = row.part {
            let earlierRun = PartFiles(folder: parts.folder, clock: .system)
            try part.write(to: URL(filePath: earlierRun.path(photo.id)))
        }
        if let final = row.final { try photo.writeFile(final) }
        try Data("of no photo".utf8).write(to: URL(filePath: parts.folder + "/stray"))

        let remains = try await photo.repair().run()

        let record = try await photo.record()
        #expect(record.state == (row.isSaved ? .saved : .seen))
        // If the photo is not saved, the repair requests a listing of the card.
        #expect(photo.listed == (row.isSaved ? [] : ["a"]))
        let reported = photo.saved
        #expect(reported.allSatisfy { $0.savedAt != nil })
        var expected = record
        // The ledger rounds times.
        expected.savedAt = reported.first?.savedAt
        #expect(reported == (row.isSaved ? [expected] : []))
        #expect(try FolderReader.names(in: parts.folder) == ["stray"])
        #expect(remains == .init(foreign: ["stray"]))
        if row.isSaved {
            #expect(record.path == path)
            #expect(try Data(contentsOf: URL(filePath: path)) == Self.bytes)
        } else {
            #expect(record.path == nil)
            #expect((try? Data(contentsOf: URL(filePath: path))) == row.final, "no file is overwritten")
            #expect(try await photo.ledger.pending(camera: "a").map(\.id) == [photo.id])
        }
    }

    @Test(arguments: [true, false])
    func `requests a listing for a saved photo only if its second reading is pending`(
        rereads: Bool
    ) async throws {
        let photo = try await InterruptedPhoto(rereads: rereads)
        defer { photo.remove() }
        try photo.writeFile()
        _ = try await photo.repair().run()
        #expect(try await photo.record().state == .saved)
        #expect(photo.listed == (rereads ? ["a"] : []))
    }

    /// The service was killed while it copied a part file to a folder on another disk. A photo that is
    /// already saved was being corrected.
    @Test(arguments: [false, true])
    func `removes the incomplete copy of a part file`(isSaved: Bool) async throws {
        let photo = try await InterruptedPhoto()
        defer { photo.remove() }
        if isSaved {
            try photo.writeFile()
            _ = try await photo.repair().run()
        } else {
            try DurableFile.createFolder(photo.root + "/sub")
        }
        let part = PartFiles(folder: photo.parts.folder, clock: .system).path(photo.id)
        try Data("wrong".utf8).write(to: URL(filePath: part))
        let copy = DurableFile.copyPath(of: part, as: photo.path)
        try Data("wr".utf8).write(to: URL(filePath: copy))
        #expect(try await photo.repair().run() == .init())
        #expect(try await photo.record().state == (isSaved ? .saved : .seen))
        #expect(!DurableFile.exists(copy) && !DurableFile.exists(part))
        #expect(DurableFile.exists(photo.path) == isSaved)
    }

    /// The obstacle at the final path that prevents reading a photo there.
    enum Obstacle: String, CaseIterable, Sendable { case folder, link, pipe, loopOfLinks }

    @Test(arguments: Obstacle.allCases)
    func `starts despite an unreadable final name and repairs the photo later`(
        obstacle: Obstacle
    )
        async throws
    {
        let photo = try await InterruptedPhoto()
        defer { photo.remove() }
        let (root, path, files) = (photo.root, photo.path, FileManager.default)
        switch obstacle {
        case .folder: try DurableFile.createFolder(path)
        case .link:
            try DurableFile.createFolder(root + "/sub")
            try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        case .pipe:
            try DurableFile.createFolder(root + "/sub")
            #expect(mkfifo(path, 0o600) == 0)
        case .loopOfLinks: try files.createSymbolicLink(atPath: root + "/sub", withDestinationPath: "sub")
        }
        let repair = photo.repair()
        let remains = try await repair.run()
        let isUnclear = obstacle == .loopOfLinks
        #expect(Array(remains.unclear.keys) == (isUnclear ? [photo.id] : []))
        #expect(try await photo.record().state == (isUnclear ? .publishing : .seen))
        guard isUnclear else { return #expect(DurableFile.exists(path), "foreign files stay") }

        try files.removeItem(atPath: root + "/sub")
        try photo.writeFile()
        #expect(try await repair.run([photo.id]) == .init())
        #expect(try await photo.record().state == .saved)
    }

    /// The report wakes the upload planner.
    @Test func `the engine reports a photo that a repeated repair saves`() async throws {
        let reports = Mutex<[CaptureRecord]>([])
        let camera = try await ScriptedCamera(
            [], onCapture: { record in reports.withLock { $0.append(record) } },
            seed: { ledger, root in
                _ = try await Self.interruptPublishing(as: root + "/photos/sub/photo.jpg", in: ledger)
                try FileManager.default.createSymbolicLink(
                    atPath: root + "/photos/sub", withDestinationPath: "sub")
            },
            reading: { _, _, _ in Data() })
        defer { camera.remove() }
        #expect(try await camera.records().map(\.state) == [.publishing])
        let reportedBefore = reports.withLock { $0 }
        #expect(reportedBefore.isEmpty)

        let folder = camera.root + "/photos/sub"
        try FileManager.default.removeItem(atPath: folder)
        try DurableFile.createFolder(folder)
        try Self.bytes.write(to: URL(filePath: folder + "/photo.jpg"))
        // The folder watch repeats a repair at every tenth check.
        for _ in 1...10 { try await camera.engine.folderWatch.check() }
        #expect(try await camera.records().map(\.state) == [.saved])
        let reported = reports.withLock { $0 }
        #expect(reported.map(\.state) == [.saved])
    }

    @Test func `finds only part files of other runs`() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let parts = PartFiles(folder: root, clock: .system)
        try DurableFile.createFolder(root)
        let own = parts.path(3).split(separator: "/").last.map(String.init) ?? ""
        let foreign = [
            "a-b.part", "7-.part", "-7-ab.part", "7-a.part.jpg", "7-AB.part", "0-ab.part", "notes",
        ]
        for name in foreign + ["7-ab.part", own] { try Data().write(to: URL(filePath: root + "/" + name)) }
        try DurableFile.createFolder(root + "/8-ab.part")
        let found = parts.filesOfOtherRuns()
        #expect(found.parts.map(\.name) == ["7-ab.part"])
        #expect(Set(found.foreign) == Set(foreign + ["8-ab.part"]))
    }

    @Test func `finds part files of other runs in workers' folders`() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let parts = PartFiles(folder: root + "/incoming", clock: .system)
        try DurableFile.createFolder(parts.folder)
        let own = parts.path(3).split(separator: "/").last.map(String.init) ?? ""
        for worker in ["studio-a", "studio-b"] {
            let folder = root + "/workers/" + worker
            try DurableFile.createFolder(folder)
            for name in ["7-ab.part", own, "whatever"] {
                try Data().write(to: URL(filePath: folder + "/" + name))
            }
        }
        let found = parts.filesOfOtherRuns()
        let paths = ["studio-a", "studio-b"].map { "\(root)/workers/\($0)/7-ab.part" }
        #expect(Set(found.parts.map(\.path)) == Set(paths))
        // Other files in a worker's folder are not reported.
        #expect(found.foreign == [])
    }
}
