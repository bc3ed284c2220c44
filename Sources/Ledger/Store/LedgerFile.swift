public import Foundation
import FrameFastSystem
import GRDB

/// The ledger's file. If the file is damaged, a new ledger replaces it. The service can then still save
/// photos.
public struct LedgerFile: Sendable {
    /// The replacement of a damaged ledger.
    public struct Replacement: Hashable, Sendable {
        /// The path to which the damaged file was moved.
        public var keptAt: String
        /// SQLite's error message.
        public var reason: String
        /// The number of captures that were recovered.
        public var captures: Int
        /// The number of uploads that were recovered.
        public var uploads: Int
    }

    /// The path of the ledger.
    public var path: String

    /// The suffixes of a database's files: the main file, and SQLite's additional files.
    private static let suffixes = ["", "-wal", "-shm"]

    /// Creates a value for the ledger at a path.
    public init(path: String) { self.path = path }

    /// The path of the new ledger while the readable rows are copied.
    private var newPath: String { path + ".new" }

    /// Opens the ledger. If the ledger is damaged, moves the file aside and creates a new ledger with all
    /// readable rows.
    ///
    /// The last step renames the new ledger to its final path. If the service stops before this step, the
    /// next start repeats or completes the replacement.
    ///
    /// - Throws: ``StoreError`` if the ledger can't be opened for a reason other than damage, or can't be
    ///   renamed.
    public func open(at now: Date) throws -> (ledger: LedgerStore, replacement: Replacement?) {
        if !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: newPath) {
            // An earlier start moved the damaged main file aside, but stopped before the last move.
            try replaceDamagedFiles(keptAt: unusedPath(at: now))
        }
        do {
            return (try LedgerStore(path: path, at: now), nil)
        } catch StoreError.damaged(_, let reason) {
            for end in Self.suffixes { try? FileManager.default.removeItem(atPath: newPath + end) }
            let new = try LedgerStore(path: newPath, at: now)
            var replacement = Replacement(keptAt: "", reason: reason, captures: 0, uploads: 0)
            try? LedgerSalvage(damagedPath: path).copy(into: new, &replacement)
            // GRDB does not delete the WAL file of a closed pool.
            try new.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try new.database.close()
            for end in Self.suffixes.dropFirst() {
                try? FileManager.default.removeItem(atPath: newPath + end)
            }
            replacement.keptAt = unusedPath(at: now)
            try replaceDamagedFiles(keptAt: replacement.keptAt)
            return (try LedgerStore(path: path, at: now), replacement)
        }
    }

    /// Returns the moves that replace the damaged ledger with the new ledger, in order.
    ///
    /// The damaged main file is first. Without its WAL file, the main file can appear intact, although it
    /// lacks the newest commits. The new ledger is last. Before the move of the damaged ledger's WAL file,
    /// SQLite would apply that file to the new ledger.
    func replacementMoves(keptAt: String) -> [(from: String, to: String)] {
        Self.suffixes.map { (from: path + $0, to: keptAt + $0) } + [(from: newPath, to: path)]
    }

    /// Performs the moves that an earlier start did not perform.
    private func replaceDamagedFiles(keptAt: String) throws {
        for move in replacementMoves(keptAt: keptAt) where DurableFile.exists(move.from) {
            do throws(SystemCallError) { try DurableFile.replace(move.to, with: move.from) } catch {
                throw StoreError.unusable(
                    path: path, reason: "the file is damaged and cannot be replaced: \(error)")
            }
            // Makes each move durable before the next move. Otherwise, only the later move might survive a
            // power failure. The service starts even if the folder cannot be synced.
            try? DurableFile.syncFolder(DurableFile.parent(of: path))
        }
    }

    /// SQLite's message about the damage, or `nil` if the file is intact or missing, or can't be checked by
    /// this user.
    public var damage: String? {
        guard FileManager.default.isReadableFile(atPath: path) else { return nil }
        do {
            try LedgerStore.checkIntegrity(readOnlyDatabase())
            return nil
        } catch let error as DatabaseError where LedgerStore.isDamage(error) {
            return error.message ?? "\(error.resultCode)"
        } catch {
            return nil
        }
    }

    /// Whether a newer version of FrameFast has changed the file. `false` if the file is missing, or can't be
    /// read by this user.
    public var isFromNewerVersion: Bool {
        guard FileManager.default.isReadableFile(atPath: path) else { return false }
        let migrator = Schema.migrator(at: .distantPast)
        let isNewer = try? readOnlyDatabase().read { try migrator.hasBeenSuperseded($0) }
        return isNewer ?? false
    }

    private func readOnlyDatabase() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Returns a path for the damaged ledger at which no file exists.
    private func unusedPath(at now: Date) -> String {
        let stamp = now.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted))
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var targetPath = "\(folder)/ledger.damaged-\(stamp).sqlite"
        var number = 2
        while Self.suffixes.contains(where: { DurableFile.exists(targetPath + $0) }) {
            targetPath = "\(folder)/ledger.damaged-\(stamp)-\(number).sqlite"
            number += 1
        }
        return targetPath
    }
}
