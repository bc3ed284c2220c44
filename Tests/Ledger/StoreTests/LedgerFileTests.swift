import Foundation
import FrameFastModel
import GRDB
import TestRig
import Testing

@testable import Store

/// Tests that a new ledger with all readable rows replaces a damaged ledger.
@Suite struct LedgerFileTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    private let scratch: ScratchFolder
    private var path: String { scratch.path("ledger.sqlite") }

    init() throws { scratch = try ScratchFolder() }

    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether photos are still readable after the damage.
        var leavesPhotos: Bool
        var apply: @Sendable (_ bytes: inout Data) -> Void
    }

    static let damages = [
        Damage(testDescription: "header", leavesPhotos: true) {
            $0.replaceSubrange(0..<100, with: Data(count: 100))
        },
        Damage(testDescription: "last quarter", leavesPhotos: true) { $0 = $0.prefix($0.count / 4 * 3) },
        Damage(testDescription: "no database", leavesPhotos: false) { $0 = Data("not a database".utf8) },
        Damage(testDescription: "pages of zeros", leavesPhotos: false) {
            $0.replaceSubrange(4_096..., with: Data(count: $0.count - 4_096))
        },
    ]

    /// Creates a ledger with 2,000 photos of a session, and closes it.
    private func fill() async throws {
        let ledger = try LedgerStore(path: path)
        let session = try await ledger.startSession(name: "Wedding", at: Self.now)
        let objects = (1...2_000).map {
            CameraObject(folder: "/DCIM", name: "IMG_\($0).JPG", size: 10, cameraTime: Int64($0))
        }
        _ = try await ledger.recordSeen(objects, camera: "a", session: session.id, at: Self.now)
        try await ledger.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try ledger.database.close()
    }

    @Test(arguments: damages)
    func `replaces a damaged ledger and recovers readable rows`(damage: Damage)
        async throws
    {
        try await fill()
        var bytes = try Data(contentsOf: URL(filePath: path))
        damage.apply(&bytes)
        try bytes.write(to: URL(filePath: path))
        let file = LedgerFile(path: path)
        #expect(file.damage != nil)

        let (ledger, replacement) = try file.open(at: Self.now)
        let found = try #require(replacement)
        #expect(try Data(contentsOf: URL(filePath: found.keptAt)) == bytes, "the damaged file is unchanged")
        #expect(file.damage == nil)
        #expect(try await ledger.creationDate() == Self.now)
        let known = try await ledger.pending(camera: "a").count
        #expect(known == found.captures)
        #expect((known > 0) == damage.leavesPhotos, "\(known) photos")
        if damage.leavesPhotos { #expect(try await ledger.currentSession()?.name == "Wedding") }
        let new = try await ledger.recordSeen(
            [CameraObject(folder: "/DCIM", name: "NEW.JPG", size: 10, cameraTime: 1)], camera: "a",
            session: nil, at: Self.now)
        #expect(new.count == 1)
    }

    @Test func `opens a new or intact ledger unchanged`() async throws {
        let file = LedgerFile(path: path)
        #expect(file.damage == nil)
        #expect(try file.open(at: Self.now).replacement == nil)
        let (ledger, replacement) = try file.open(at: Self.now.addingTimeInterval(86_400))
        #expect(replacement == nil)
        #expect(try await ledger.creationDate() == Self.now)
        #expect(file.damage == nil)
    }

    @Test func `opening an older ledger sets its creation time`() async throws {
        let old = try DatabaseQueue(path: path)
        try Schema.migrator(at: .distantPast).migrate(old, upTo: "v17 sizes of edited photos")
        try old.close()
        let (ledger, _) = try LedgerFile(path: path).open(at: Self.now)
        #expect(try await ledger.creationDate() == Self.now)
    }

    @Test func `recognizes a ledger that a newer version has changed`() async throws {
        let file = LedgerFile(path: path)
        #expect(!file.isFromNewerVersion)
        let ledger = try file.open(at: Self.now).ledger
        #expect(!ledger.isFromNewerVersion && !file.isFromNewerVersion)
        try await ledger.database.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('later')")
        }
        #expect(file.isFromNewerVersion)
        try ledger.database.close()
        #expect(try file.open(at: Self.now).ledger.isFromNewerVersion)
    }

    @Test func `repeats an interrupted replacement of a damaged ledger`() async throws {
        try await fill()
        var bytes = try Data(contentsOf: URL(filePath: path))
        Self.damages[0].apply(&bytes)
        try bytes.write(to: URL(filePath: path))
        // Simulates a start that was interrupted during the copy of rows.
        try LedgerStore(path: path + ".new").database.close()
        for suffix in [".salvage", ".salvage-wal"] {
            try bytes.prefix(4_096).write(to: URL(filePath: path + suffix))
        }
        let replacement = try #require(try LedgerFile(path: path).open(at: Self.now).replacement)
        #expect(replacement.captures == 2_000)
    }

    @Test func `completes a replacement that lacks only the last rename`() async throws {
        try await fill()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".new")
        let (ledger, replacement) = try LedgerFile(path: path).open(at: Self.now)
        #expect(replacement == nil)
        #expect(try await ledger.pending(camera: "a").count == 2_000)
    }

    /// Creates a ledger with one photo, and returns the bytes of its WAL file.
    private func createLedger(at path: String, photo: String) async throws -> Data {
        let ledger = try LedgerStore(path: path)
        _ = try await ledger.recordSeen(
            [CameraObject(folder: "/DCIM", name: photo, size: 10, cameraTime: 1)], camera: "a",
            session: nil, at: Self.now)
        let wal = try Data(contentsOf: URL(filePath: path + "-wal"))
        try await ledger.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try ledger.database.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        return wal
    }

    @Test(arguments: 1...4)
    func `completes a replacement that stopped between two moves`(moves: Int) async throws {
        let wal = try await createLedger(at: path, photo: "OLD.JPG")
        try wal.write(to: URL(filePath: path + "-wal"))
        try Data().write(to: URL(filePath: path + "-shm"))
        _ = try await createLedger(at: path + ".new", photo: "NEW.JPG")
        let file = LedgerFile(path: path)
        for move in file.replacementMoves(keptAt: scratch.path("ledger.damaged-1.sqlite")).prefix(moves) {
            try FileManager.default.moveItem(atPath: move.from, toPath: move.to)
        }

        let (ledger, replacement) = try file.open(at: Self.now)
        #expect(replacement == nil)
        #expect(try await ledger.pending(camera: "a").map(\.object.name) == ["NEW.JPG"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
            .filter { $0.hasPrefix("ledger.damaged-") && $0.hasSuffix("-wal") }
        #expect(try kept.map { try Data(contentsOf: URL(filePath: scratch.path($0))) } == [wal])
    }

    @Test func `keeps two damaged ledgers that were replaced in the same second`() async throws {
        for _ in 0..<2 {
            try Data("not a database".utf8).write(to: URL(filePath: path))
            _ = try LedgerFile(path: path).open(at: Self.now)
        }
        let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
            .filter { $0.hasPrefix("ledger.damaged-") && $0.hasSuffix(".sqlite") }
        #expect(kept.count == 2)
    }
}
