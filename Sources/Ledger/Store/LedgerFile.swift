public import Foundation
import GRDB

/// The ledger's file: opened, and replaced by a new one if it is damaged. A damaged ledger never keeps photos from being saved.
public struct LedgerFile: Sendable {
    /// A damaged ledger that a new one replaced.
    public struct Replacement: Hashable, Sendable {
        /// The path of the damaged file, which is kept.
        public var keptAt: String
        /// What SQLite said.
        public var reason: String
        /// How many captures of the damaged file are in the new one.
        public var captures: Int
        /// How many uploads of the damaged file are in the new one.
        public var uploads: Int
    }

    /// The path of the ledger.
    public var path: String

    /// Files that SQLite keeps next to a database.
    private static let companions = ["-wal", "-shm"]

    /// Creates a value for the ledger at a path.
    public init(path: String) { self.path = path }

    /// The new ledger until everything that can be read of the damaged one is in it.
    private var newPath: String { path + ".new" }

    /// Opens the ledger. Keeps a damaged one aside, and begins a new one with everything that can be read of it.
    ///
    /// The new ledger takes the place of the damaged one last: a start that was cut off begins anew with the damaged one.
    ///
    /// - Throws: ``StoreError`` if the ledger can't be opened for another reason, or can't be moved aside.
    public func open(at now: Date) throws -> (ledger: LedgerStore, replacement: Replacement?) {
        if !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: newPath) {
            // The last start was cut off between the two renames.
            try move(newPath, to: path)
        }
        do {
            return (try LedgerStore(path: path, at: now), nil)
        } catch StoreError.damaged(_, let reason) {
            for end in [""] + Self.companions { try? FileManager.default.removeItem(atPath: newPath + end) }
            let new = try LedgerStore(path: newPath, at: now)
            var replacement = Replacement(keptAt: "", reason: reason, captures: 0, uploads: 0)
            try? LedgerSalvage(kept: path).copy(into: new, &replacement)
            // GRDB leaves the log of a closed pool in its place.
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

    /// What is wrong with the file, or `nil` if it is sound, not there, or can't be read by this user.
    public var damage: String? {
        var configuration = Configuration()
        configuration.readonly = true
        guard FileManager.default.isReadableFile(atPath: path) else { return nil }
        do {
            try LedgerStore.requireSoundness(DatabaseQueue(path: path, configuration: configuration))
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
