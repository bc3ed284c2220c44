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

    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The content of the `.part` file, or `nil` if the file is missing.
        var part: Data?
        /// The content of the file with the final name, or `nil` if the file is missing.
        var final: Data?
        var isSaved: Bool
    }

    static let scenes = [
        Scene(testDescription: "before the rename", part: bytes, final: nil, isSaved: true),
        Scene(testDescription: "after the rename", part: nil, final: bytes, isSaved: true),
        Scene(testDescription: "the bytes were lost", part: nil, final: nil, isSaved: false),
        Scene(testDescription: "the part file is short", part: Data("wh".utf8), final: nil, isSaved: false),
        Scene(
            testDescription: "another file has the name", part: bytes, final: Data("other".utf8),
            isSaved: false),
        Scene(
            testDescription: "a file of another size has the name", part: nil, final: Data("x".utf8),
            isSaved: false),
        Scene(
            testDescription: "a file of the same size has the name", part: nil, final: Data("wrong".utf8),
            isSaved: false),
        Scene(
            testDescription: "the part file holds other bytes", part: Data("wrong".utf8), final: nil,
            isSaved: false),
    ]

    @Test(arguments: scenes)
    func `saves or refetches an interrupted photo and removes part files`(scene: Scene)
        async throws
    {
        let root = FileManager.default.temporaryDirectory.appending(path: "repair-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let parts = PartFiles(folder: root + "/incoming", clock: .system)
        try DurableFile.createFolder(parts.folder)
        let ledger = try LedgerStore(path: root + "/ledger.sqlite")
        let object = CameraObject(
            folder: "/DCIM", name: "IMG_1.JPG", size: UInt64(Self.bytes.count), cameraTime: 1)
        let seen = try await ledger.recordSeen([object], camera: "a", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        let arrival = Arrival(
            id: id, bytes: UInt64(Self.bytes.count), sha256: Self.sha256, transferMs: 1)
        let path = root + "/sub/photo.jpg"
        _ = try await ledger.beginPublishing(
            [arrival], naming: .init(counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2)
        )
        if let part = scene.part {
            try part.write(to: URL(filePath: PartFiles(folder: parts.folder, clock: .system).path(id)))
        }
        if let final = scene.final {
            try DurableFile.createFolder(root + "/sub")
            try final.write(to: URL(filePath: path))
        }
        try Data("of no photo".utf8).write(to: URL(filePath: parts.folder + "/stray"))

        let returned = Mutex<[BodyID]>([])
        let remains = try await StartupRepair(
            ledger: ledger, parts: parts, directory: root, logger: Logger(label: "test"), clock: .system,
            requestListing: { body in returned.withLock { $0.append(body) } }
        ).run()

        let record = try #require(try await ledger.capture(id: id))
        #expect(record.state == (scene.isSaved ? .saved : .seen))
        // The intake of a connected camera then lists the card again.
        #expect(returned.withLock { $0 } == (scene.isSaved ? [] : ["a"]))
        #expect(try FolderReader.names(in: parts.folder) == ["stray"])
        #expect(remains == .init(foreign: ["stray"]))
        if scene.isSaved {
            #expect(record.path == path)
            #expect(try Data(contentsOf: URL(filePath: path)) == Self.bytes)
        } else {
            #expect(record.path == nil)
            #expect((try? Data(contentsOf: URL(filePath: path))) == scene.final, "no file is overwritten")
            #expect(try await ledger.pending(camera: "a").map(\.id) == [id])
        }
    }

    @Test(arguments: [true, false])
    func `requests a listing for a repaired photo only if the photo waits for its second reading`(
        rereads: Bool
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "repair-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let parts = PartFiles(folder: root + "/incoming", clock: .system)
        try DurableFile.createFolder(parts.folder)
        let ledger = try LedgerStore(path: root + "/ledger.sqlite")
        let object = CameraObject(
            folder: "/DCIM", name: "IMG_1.JPG", size: UInt64(Self.bytes.count), cameraTime: 1)
        let seen = try await ledger.recordSeen([object], camera: "a", session: nil, at: Date())
        let id = try #require(seen.first?.id)
        let arrival = Arrival(
            id: id, bytes: UInt64(Self.bytes.count), sha256: Self.sha256, transferMs: 1)
        let path = root + "/photo.jpg"
        _ = try await ledger.beginPublishing(
            [arrival],
            naming: .init(
                counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2, rereads: rereads))
        try Self.bytes.write(to: URL(filePath: path))

        let listed = Mutex<[BodyID]>([])
        _ = try await StartupRepair(
            ledger: ledger, parts: parts, directory: root, logger: Logger(label: "test"), clock: .system,
            requestListing: { body in listed.withLock { $0.append(body) } }
        ).run()
        #expect(try await ledger.capture(id: id)?.state == .saved)
        #expect(listed.withLock { $0 } == (rereads ? ["a"] : []))
    }

    /// The kind of file that prevents reading the final name.
    enum Obstacle: String, CaseIterable, Sendable { case folder, link, pipe, loopOfLinks }

    @Test(arguments: Obstacle.allCases)
    func `starts despite an unreadable final name and repairs the photo later`(
        obstacle: Obstacle
    )
        async throws
    {
        let root = FileManager.default.temporaryDirectory.appending(path: "repair-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let parts = PartFiles(folder: root + "/incoming", clock: .system)
        try DurableFile.createFolder(parts.folder)
        let ledger = try LedgerStore(path: root + "/ledger.sqlite")
        let object = CameraObject(
            folder: "/DCIM", name: "A.JPG", size: UInt64(Self.bytes.count), cameraTime: 1)
        let id = try #require(
            try await ledger.recordSeen([object], camera: "a", session: nil, at: Date()).first?.id)
        let path = root + "/sub/photo.jpg"
        _ = try await ledger.beginPublishing(
            [.init(id: id, bytes: UInt64(Self.bytes.count), sha256: Self.sha256, transferMs: 1)],
            naming: .init(counterScope: { _ in "s" }, path: { _, _ in path }, pairSettleSeconds: 2))
        let files = FileManager.default
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
        let repair = StartupRepair(
            ledger: ledger, parts: parts, directory: root, logger: Logger(label: "test"), clock: .system)
        let remains = try await repair.run()
        let isUnclear = obstacle == .loopOfLinks
        #expect(Array(remains.unclear.keys) == (isUnclear ? [id] : []))
        #expect(try await ledger.capture(id: id)?.state == (isUnclear ? .publishing : .seen))
        guard isUnclear else { return #expect(DurableFile.exists(path), "foreign files stay") }

        try files.removeItem(atPath: root + "/sub")
        try DurableFile.createFolder(root + "/sub")
        try Self.bytes.write(to: URL(filePath: path))
        #expect(try await repair.run([id]) == .init())
        #expect(try await ledger.capture(id: id)?.state == .saved)
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
