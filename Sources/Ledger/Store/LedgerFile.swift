public import Foundation
import GRDB

/// The ledger's file, which is replaced by a new one if it is damaged. A damaged ledger never prevents
/// photos from being saved.
public struct LedgerFile: Sendable {
    /// A damaged ledger that a new one replaced.
    public struct Replacement: Hashable, Sendable {
        /// The path of the damaged file, which is kept.
        public var keptAt: String
        /// The message of SQLite.
        public var reason: String
        /// The number of captures that were recovered.
        public var captures: Int
        /// The number of uploads that were recovered.
        public var uploads: Int
    }

    /// The path of the ledger.
    public var path: String

    /// The suffixes of the files that SQLite keeps next to a database.
    private static let companions = ["-wal", "-shm"]

    /// Creates a value for the ledger at a path.
    public init(path: String) { self.path = path }

    /// The path of the new ledger while it is being filled.
    private var newPath: String { path + ".new" }

    /// Opens the ledger. Moves a damaged one aside, and creates a new one with all rows that can be read.
    ///
    /// The new ledger is moved into place as the last step. If the start is interrupted, the next one
    /// begins again with the damaged ledger.
    ///
    /// - Throws: ``StoreError`` if the ledger can't be opened for another reason, or can't be moved aside.
    public func open(at now: Date) throws -> (ledger: LedgerStore, replacement: Replacement?) {
        if !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: newPath) {
            // The last start was interrupted between the two renames.
            try move(newPath, to: path)
        }
        do {
            return (try LedgerStore(path: path, at: now), nil)
        } catch StoreError.damaged(_, let reason) {
            for end in [""] + Self.companions { try? FileManager.default.removeItem(atPath: newPath + end) }
            let new = try LedgerStore(path: newPath, at: now)
            var replacement = Replacement(keptAt: "", reason: reason, captures: 0, uploads: 0)
            try? LedgerSalvage(kept: path).copy(into: new, &replacement)
            // GRDB does not delete the log of a closed pool.
            try new.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try new.database.close()
            for end in Self.companions { try? FileManager.default.removeItem(atPath: newPath + end) }
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
                path: target, reason: "it cannot take its place: \(error.localizedDescription)")
        }
    }

    /// The damage of the file as reported by SQLite, or `nil` if the file is intact, missing or not
    /// readable by this user.
    public var damage: String? {
        var configuration = Configuration()
        configuration.readonly = true
        guard FileManager.default.isReadableFile(atPath: path) else { return nil }
        do {
            try LedgerStore.checkIntegrity(DatabaseQueue(path: path, configuration: configuration))
            return nil
        } catch let error as DatabaseError where LedgerStore.isDamage(error) {
            return error.message ?? "\(error.resultCode)"
        } catch {
            return nil
        }
    }

    private func moveAside(at now: Date) throws -> String {
        let stamp = now.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted))
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var kept = "\(folder)/ledger.damaged-\(stamp).sqlite"
        var suffix = 2
        while FileManager.default.fileExists(atPath: kept) {
            kept = "\(folder)/ledger.damaged-\(stamp)-\(suffix).sqlite"
            suffix += 1
        }
        do {
            try FileManager.default.moveItem(atPath: path, toPath: kept)
            for companion in Self.companions where FileManager.default.fileExists(atPath: path + companion) {
                try FileManager.default.moveItem(atPath: path + companion, toPath: kept + companion)
            }
        } catch {
            throw StoreError.unusable(
                path: path, reason: "it is damaged and cannot be kept aside: \(error.localizedDescription)")
        }
        return kept
    }
}
