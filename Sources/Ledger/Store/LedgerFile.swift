public import Foundation
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

    /// The suffixes of SQLite's additional files for a database.
    private static let additionalSuffixes = ["-wal", "-shm"]

    /// Creates a value for the ledger at a path.
    public init(path: String) { self.path = path }

    /// The path of the new ledger while the readable rows are copied.
    private var newPath: String { path + ".new" }

    /// Opens the ledger. If the ledger is damaged, moves the file aside and creates a new ledger with all
    /// readable rows.
    ///
    /// The last step renames the new ledger to its final path. If the service is interrupted before this
    /// step, the next start repeats or completes the replacement.
    ///
    /// - Throws: ``StoreError`` if the ledger can't be opened for a reason other than damage, or can't be
    ///   renamed.
    public func open(at now: Date) throws -> (ledger: LedgerStore, replacement: Replacement?) {
        if !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: newPath) {
            // An earlier start moved the damaged file aside, but stopped before it renamed the new ledger.
            try move(newPath, to: path)
        }
        do {
            return (try LedgerStore(path: path, at: now), nil)
        } catch StoreError.damaged(_, let reason) {
            for end in [""] + Self.additionalSuffixes {
                try? FileManager.default.removeItem(atPath: newPath + end)
            }
            let new = try LedgerStore(path: newPath, at: now)
            var replacement = Replacement(keptAt: "", reason: reason, captures: 0, uploads: 0)
            try? LedgerSalvage(damagedPath: path).copy(into: new, &replacement)
            // GRDB does not delete the WAL file of a closed pool.
            try new.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try new.database.close()
            for end in Self.additionalSuffixes { try? FileManager.default.removeItem(atPath: newPath + end) }
            replacement.keptAt = try moveAside(at: now)
            try move(newPath, to: path)
            return (try LedgerStore(path: path, at: now), replacement)
        }
    }

    private func move(_ from: String, to target: String) throws {
        do {
            try FileManager.default.moveItem(atPath: from, toPath: target)
        } catch {
            throw StoreError.unusable(
                path: target, reason: "cannot move the new ledger to this path: \(error.localizedDescription)"
            )
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

    private func moveAside(at now: Date) throws -> String {
        let stamp = now.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted))
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var targetPath = "\(folder)/ledger.damaged-\(stamp).sqlite"
        var suffix = 2
        while FileManager.default.fileExists(atPath: targetPath) {
            targetPath = "\(folder)/ledger.damaged-\(stamp)-\(suffix).sqlite"
            suffix += 1
        }
        do {
            try FileManager.default.moveItem(atPath: path, toPath: targetPath)
            for fileSuffix in Self.additionalSuffixes
            where FileManager.default.fileExists(atPath: path + fileSuffix) {
                try FileManager.default.moveItem(atPath: path + fileSuffix, toPath: targetPath + fileSuffix)
            }
        } catch {
            throw StoreError.unusable(
                path: path,
                reason: "the file is damaged and cannot be moved aside: \(error.localizedDescription)")
        }
        return targetPath
    }
}
