import Foundation
public import FrameFastModel
import GRDB

/// Opinions about shots.
extension LedgerStore {
    /// The result of saving an opinion.
    public struct SavedOpinion: Hashable, Sendable {
        /// The current number of the shot.
        public var shot: ShotID
        /// Whether the opinion differs from the author's previous opinion.
        public var isChanged: Bool
    }

    /// An opinion that is not applied to the uploads yet.
    public struct UnappliedOpinion: Hashable, Sendable {
        /// The current number of the shot.
        public var shot: ShotID
        /// The opinion, which may be empty.
        public var opinion: Opinion
        /// The key of the opinion's row.
        let captureID: CaptureID
        /// The role in the row. ``opinion`` contains another role if only a newer version knows this role.
        let storedRole: String
    }

    /// Replaces the author's opinion about a shot. An empty opinion is stored and withdraws the previous one.
    /// Saving the same opinion again changes nothing.
    ///
    /// - Parameter shot: The number of the shot, or of one of its files. The number of a shot decreases if an
    ///   earlier file becomes its partner, so a caller may have an old number.
    /// - Returns: `nil` if the shot does not exist.
    public func saveOpinion(_ opinion: Opinion, shot: ShotID) async throws -> SavedOpinion? {
        try await write { db in
            guard let number = try Self.currentNumber(of: shot, db) else { return nil }
            let rows = try Self.opinionRows(db, of: number)
            let previous = Opinion.newest(of: rows.map(\.opinion))
                .first { $0.hasSameAuthor(as: opinion) }
            if previous?.hasSameContent(as: opinion) ?? opinion.isEmpty {
                return SavedOpinion(shot: number, isChanged: false)
            }
            let delete = try db.cachedStatement(
                sql: "DELETE FROM opinion WHERE capture_id = ? AND role = ? AND author_key = ?")
            for row in rows where row.opinion.hasSameAuthor(as: opinion) {
                try delete.execute(arguments: [row.captureID, opinion.role.rawValue, opinion.authorKey])
            }
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO opinion (capture_id, role, author_key, author, stars, pick, comment, given_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            try insert.execute(arguments: [
                number, opinion.role.rawValue, opinion.authorKey, opinion.author, opinion.stars, opinion.pick,
                opinion.comment, opinion.at.timeIntervalSince1970,
            ])
            return SavedOpinion(shot: number, isChanged: true)
        }
    }

    /// Returns the opinion of each author about a shot, oldest first.
    public func opinions(of shot: ShotID) async throws -> [Opinion] {
        try await read { db in try Opinion.newest(of: Self.opinionRows(db, of: shot).map(\.opinion)) }
    }

    /// Returns the ratings of shots.
    public func verdicts(of shots: Set<ShotID>) async throws -> [ShotID: ShotVerdict] {
        guard !shots.isEmpty else { return [:] }
        return try await read { db in
            try shots.reduce(into: [:]) { result, shot in result[shot] = try Self.verdict(db, of: shot) }
        }
    }

    /// Returns the rating of a shot.
    static func verdict(_ db: Database, of shot: ShotID) throws -> ShotVerdict {
        let ratings = try db.cachedStatement(
            sql: """
                SELECT rating FROM capture INDEXED BY capture_shot
                WHERE \(Schema.isCapture) AND \(Schema.shot) = ? AND rating IS NOT NULL
                """)
        return ShotVerdict(
            cameraRatings: try Int.fetchAll(ratings, arguments: [shot]),
            opinions: Opinion.newest(of: try opinionRows(db, of: shot).map(\.opinion)))
    }

    /// Returns the opinions that are not applied to the uploads yet.
    public func unappliedOpinions(limit: Int) async throws -> [UnappliedOpinion] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT * FROM opinion INDEXED BY opinion_unapplied WHERE is_applied = 0
                        ORDER BY capture_id LIMIT ?
                        """), arguments: [limit])
            return try rows.map { row in
                let id: CaptureID = row["capture_id"]
                let shot = try Self.currentNumber(of: ShotID(first: id), db) ?? ShotID(first: id)
                return UnappliedOpinion(
                    shot: shot, opinion: Opinion(row: row), captureID: id, storedRole: row["role"])
            }
        }
    }

    /// Records that these opinions were applied to the uploads. An opinion whose stars or pick changed after
    /// it was read stays unapplied.
    public func markApplied(_ applied: [UnappliedOpinion]) async throws {
        guard !applied.isEmpty else { return }
        try await write { db in
            let update = try db.cachedStatement(
                sql: """
                    UPDATE opinion SET is_applied = 1
                    WHERE capture_id = ? AND role = ? AND author_key = ? AND stars IS ? AND pick IS ?
                    """)
            for row in applied {
                try update.execute(arguments: [
                    row.captureID, row.storedRole, row.opinion.authorKey, row.opinion.stars, row.opinion.pick,
                ])
            }
        }
    }

    /// Returns the current number of a shot, or `nil` if no file has the number.
    ///
    /// - Parameter shot: The number of the shot, or of one of its files.
    static func currentNumber(of shot: ShotID, _ db: Database) throws -> ShotID? {
        let own = try db.cachedStatement(
            sql: """
                SELECT \(Schema.shot) FROM capture INDEXED BY capture_shot
                WHERE \(Schema.isCapture) AND \(Schema.shot) = ? LIMIT 1
                """)
        if let number = try ShotID.fetchOne(own, arguments: [shot]) { return number }
        let file = try db.cachedStatement(
            sql: "SELECT \(Schema.shot) FROM capture WHERE id = ? AND \(Schema.isCapture)")
        return try ShotID.fetchOne(file, arguments: [shot])
    }

    /// Returns the stored opinions about a shot with the captures under which they are stored. The result may
    /// contain several opinions of an author, and empty opinions.
    private static func opinionRows(
        _ db: Database, of shot: ShotID
    ) throws -> [(captureID: CaptureID, opinion: Opinion)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT * FROM opinion WHERE capture_id = :shot OR capture_id IN (
                    SELECT id FROM capture INDEXED BY capture_shot
                    WHERE \(Schema.isCapture) AND \(Schema.shot) = :shot)
                """)
        return try Row.fetchAll(statement, arguments: ["shot": shot]).map { row in
            (captureID: row["capture_id"] as CaptureID, opinion: Opinion(row: row))
        }
    }
}

extension Opinion {
    init(row: Row) {
        self.init(
            stars: row["stars"], pick: row["pick"], comment: row["comment"], author: row["author"],
            authorKey: row["author_key"],
            // A role of a newer version becomes `screen`, the role with the fewest rights.
            role: WebRole(rawValue: row["role"]) ?? .screen,
            at: Date(timeIntervalSince1970: row["given_at"]))
    }
}
