public import FrameFastModel
import GRDB

/// What the ledger knows of manifests: which photos a generation has, and which generations it has taken in.
extension LedgerStore {
    /// Photos that lie below a folder and that no generation has, oldest first: saved, and still there. Those that wait for
    /// their second reading are among them.
    ///
    /// - Parameter folder: Absolute path, without a `/` at its end.
    public func unsealed(below folder: String) async throws -> [CaptureRecord] {
        try await read { db in
            // By the index of paths: "0" follows "/".
            try CaptureRecord.fetch(
                db,
                where: """
                    path >= ? AND path < ? AND state = 'saved' AND is_sealed = 0 AND cleared_at IS NULL ORDER BY id
                    """, [folder + "/", folder + "0"])
        }
    }

    /// A session's photos that are saved and that no generation has; of photos without a session for `nil`.
    public func unsealed(session: SessionID?) async throws -> [CaptureRecord] {
        try await read { db in
            try CaptureRecord.fetch(
                db,
                where:
                    "session_id IS ? AND state = 'saved' AND is_sealed = 0 AND cleared_at IS NULL ORDER BY id",
                [session])
        }
    }

    /// The sessions of photos that no generation has; `nil` for photos without a session.
    public func sessionsUnsealed() async throws -> [SessionID?] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT session_id FROM capture
                    WHERE state = 'saved' AND is_sealed = 0 AND cleared_at IS NULL ORDER BY session_id
                    """
            ).map { $0["session_id"] as SessionID? }
        }
    }

    /// A generation of a folder's history.
    public struct ManifestGeneration: Hashable, Sendable {
        /// Its number, from 1 on.
        public var number: Int
        /// Name of the manifest's file.
        public var name: String
        /// C4 id of the manifest's file.
        public var c4: String

        /// Creates one.
        public init(number: Int, name: String, c4: String) {
            self.number = number
            self.name = name
            self.c4 = c4
        }
    }

    /// The generations of a folder's history that the ledger has taken in, in order.
    public func generations(of folder: String) async throws -> [ManifestGeneration] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT generation, name, c4 FROM manifest WHERE folder = ? ORDER BY generation",
                arguments: [folder]
            ).map { ManifestGeneration(number: $0["generation"], name: $0["name"], c4: $0["c4"]) }
        }
    }

    /// Takes in a generation that the folder's chain has: the photos under its paths are sealed.
    ///
    /// - Parameter paths: Absolute ones.
    public func enter(
        _ generation: ManifestGeneration, of folder: String, paths: [String]
    ) async throws {
        try await write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO manifest (folder, generation, name, c4) VALUES (?, ?, ?, ?)",
                arguments: [folder, generation.number, generation.name, generation.c4])
            try Self.raiseManifestUploads(db, of: folder, to: generation.number)
            let seal = try db.cachedStatement(
                sql: "UPDATE capture SET is_sealed = 1 WHERE path = ? AND is_sealed = 0 RETURNING id")
            for path in paths {
                guard let id = try CaptureID.fetchAll(seal, arguments: [path]).first else { continue }
                try Self.enterManifestUploads(db, of: id, path: path, in: folder)
            }
            try db.execute(sql: "DELETE FROM sealing WHERE folder = ?", arguments: [folder])
        }
    }

    /// A generation of a folder's history is about to be written; until ``enter(_:of:paths:)`` a start looks at the folder.
    public func beginSealing(of folder: String) async throws {
        try await write { db in
            try db.execute(sql: "INSERT OR IGNORE INTO sealing (folder) VALUES (?)", arguments: [folder])
        }
    }

    /// What was begun is complete, or was never written.
    public func endSealing(of folder: String) async throws {
        try await write { db in
            try db.execute(sql: "DELETE FROM sealing WHERE folder = ?", arguments: [folder])
        }
    }

    /// Folders whose generation was begun and not entered. Its cost does not depend on how many photos there are.
    public func sealingsBegun() async throws -> [String] {
        try await read { db in try String.fetchAll(db, sql: Self.sealingsBegunSQL) }
    }

    static let sealingsBegunSQL = "SELECT folder FROM sealing ORDER BY folder"

    /// Forgets what is known of a folder's history: somebody began it anew.
    public func forgetGenerations(of folder: String) async throws {
        try await write { db in
            try db.execute(sql: "DELETE FROM manifest WHERE folder = ?", arguments: [folder])
            // The chain that is there stays ours to replace.
            try db.execute(
                sql: "UPDATE manifest_upload SET generation = 0, newest = 0 WHERE folder = ?",
                arguments: [folder])
            try db.execute(
                sql: "UPDATE capture SET is_sealed = 0 WHERE is_sealed = 1 AND path >= ? AND path < ?",
                arguments: [folder + "/", folder + "0"])
        }
    }

    /// Where a photo went whose file was cleared here.
    ///
    /// - Parameter path: The absolute path that it had.
    /// - Returns: the destinations that have it; `nil` when no such photo was cleared.
    public func destinationsOfCleared(path: String) async throws -> [DestinationName]? {
        try await read { db in
            guard
                let id = try CaptureID.fetchOne(
                    db, sql: "SELECT id FROM capture WHERE path = ? AND cleared_at IS NOT NULL",
                    arguments: [path])
            else { return nil }
            return try DestinationName.fetchAll(
                db,
                sql: """
                    SELECT destination FROM upload_job WHERE capture_id = ? AND state = 'delivered'
                    ORDER BY destination
                    """, arguments: [id])
        }
    }
}
