import Foundation
public import FrameFastModel
import GRDB

/// What the ledger knows of files that lie beside photos.
extension LedgerStore {
    /// A sidecar to be written: what the ledger keeps of it, and its bytes.
    public typealias SidecarToWrite = (record: SidecarRecord, bytes: [UInt8])

    /// Enters what photos are to get beside them, in the place of what was entered before.
    ///
    /// - Parameter make: From a photo and what is said of its shot to its sidecars; may be asked twice.
    /// - Returns: what it made.
    public func planSidecars(
        of ids: [CaptureID],
        _ make: @escaping @Sendable (Photo, ShotWords) throws -> [SidecarToWrite]
    ) async throws -> [SidecarToWrite] {
        try await write { db in
            let forget = try db.cachedStatement(sql: "DELETE FROM sidecar WHERE capture_id = ?")
            return try ids.flatMap { id -> [SidecarToWrite] in
                guard let (photo, words) = try Self.said(db, of: id) else { return [] }
                let made = try make(photo, words)
                try forget.execute(arguments: [id])
                for sidecar in made { try Self.enter(db, sidecar.record, isDue: false) }
                return made
            }
        }
    }

    /// What is said of a photo now; `nil` when the ledger has none with this number.
    public func said(of id: CaptureID) async throws -> (photo: Photo, words: ShotWords)? {
        try await read { db in try Self.said(db, of: id) }
    }

    /// What photos have beside them.
    public func sidecars(of ids: [CaptureID]) async throws -> [SidecarRecord] {
        try await read { db in
            let rows = try db.cachedStatement(sql: "SELECT * FROM sidecar WHERE capture_id = ?")
            return try ids.flatMap { try Row.fetchAll(rows, arguments: [$0]).compactMap(SidecarRecord.init) }
        }
    }

    /// Sidecars of saved photos that may be out of date, by photo.
    ///
    /// - Parameter after: The last one of those that were given before; `nil` begins with the first.
    public func sidecarsDue(after: SidecarRecord?, limit: Int) async throws -> [SidecarRecord] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT sidecar.* FROM sidecar INDEXED BY sidecar_due
                    JOIN capture ON capture.id = capture_id
                    WHERE (is_due = 1 OR next IS NOT NULL) AND (capture_id, sidecar.kind) > (?, ?)
                        AND state = 'saved' AND cleared_at IS NULL
                    ORDER BY capture_id, sidecar.kind LIMIT ?
                    """, arguments: [after?.captureID ?? 0, after?.kind.rawValue ?? "", limit]
            ).compactMap(SidecarRecord.init)
        }
    }

    /// Notes what is about to be written in the place of a sidecar.
    ///
    /// - Parameter make: From what the ledger has of it, the photo, and what is said of its shot to what is to be written;
    ///   `nil` when nothing is. May be asked twice.
    /// - Returns: what it made. What is said from now on makes it due again.
    public func beginSidecar(
        _ sidecar: SidecarRecord,
        _ make: @escaping @Sendable (SidecarRecord, Photo, ShotWords) throws -> SidecarToWrite?
    ) async throws -> SidecarToWrite? {
        try await write { db in
            guard let known = try Self.sidecar(db, sidecar),
                let (photo, words) = try Self.said(db, of: sidecar.captureID),
                let made = try make(known, photo, words)
            else {
                try db.execute(
                    sql: "UPDATE sidecar SET is_due = 0, next = NULL WHERE capture_id = ? AND kind = ?",
                    arguments: [sidecar.captureID, sidecar.kind.rawValue])
                return nil
            }
            try Self.enter(db, made.record, isDue: false)
            return made
        }
    }

    /// What was about to be written is there, through to the disk.
    public func endSidecar(_ sidecar: SidecarRecord) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE sidecar SET written = ?, next = NULL, made_at = ?
                    WHERE capture_id = ? AND kind = ? AND next = ?
                    """,
                arguments: [
                    sidecar.next, sidecar.madeAt.timeIntervalSince1970, sidecar.captureID,
                    sidecar.kind.rawValue, sidecar.next,
                ])
        }
    }

    /// Sidecars could not be written, and are looked at again.
    ///
    /// - Parameter isTaken: Whether that is because their names are another file's.
    public func postponeSidecars(_ sidecars: [SidecarRecord], isTaken: Bool) async throws {
        try await write { db in
            let update = try db.cachedStatement(
                sql: """
                    UPDATE sidecar SET is_due = 1, written = CASE WHEN ? THEN NULL ELSE written END
                    WHERE capture_id = ? AND kind = ?
                    """)
            for sidecar in sidecars {
                try update.execute(arguments: [isTaken, sidecar.captureID, sidecar.kind.rawValue])
            }
        }
    }

    /// Photos have nothing of ours beside them any more.
    public func forgetSidecars(of ids: [CaptureID]) async throws {
        try await write { db in
            let forget = try db.cachedStatement(sql: "DELETE FROM sidecar WHERE capture_id = ?")
            for id in ids { try forget.execute(arguments: [id]) }
        }
    }

    private static func sidecar(_ db: Database, _ sidecar: SidecarRecord) throws -> SidecarRecord? {
        let row = try db.cachedStatement(sql: "SELECT * FROM sidecar WHERE capture_id = ? AND kind = ?")
        return try Row.fetchOne(row, arguments: [sidecar.captureID, sidecar.kind.rawValue]).flatMap(
            SidecarRecord.init)
    }

    private static func enter(_ db: Database, _ sidecar: SidecarRecord, isDue: Bool) throws {
        let enter = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO sidecar (capture_id, kind, path, written, next, made_at, is_due)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        try enter.execute(arguments: [
            sidecar.captureID, sidecar.kind.rawValue, sidecar.path, sidecar.written, sidecar.next,
            sidecar.madeAt.timeIntervalSince1970, isDue,
        ])
    }

    private static func said(_ db: Database, of id: CaptureID) throws -> (photo: Photo, words: ShotWords)? {
        let photo = try db.cachedStatement(sql: Photo.sql(where: "capture.id = ?"))
        guard let row = try Row.fetchOne(photo, arguments: [id]) else { return nil }
        let found = Photo(row: row)
        let ratings = try ratings(db, ofShot: found.record.shotID)
        return (found, ShotWords(fileRating: found.record.rating, ratings: ratings))
    }
}

extension SidecarRecord {
    /// `nil` for a kind that a newer version wrote.
    init?(_ row: Row) {
        guard let kind = SidecarKind(rawValue: row["kind"]) else { return nil }
        self.init(
            captureID: row["capture_id"], kind: kind, path: row["path"], written: row["written"],
            next: row["next"], madeAt: Date(timeIntervalSince1970: row["made_at"]))
    }
}
