public import Foundation
public import FrameFastModel
import GRDB

/// What is known of a shot's picture.
public struct PictureFacts: Hashable, Sendable {
    /// What became of it: 0 for made.
    public var outcome: Int
    /// Pixels of what the camera took, as it is turned; 0 when unknown.
    public var width: Int
    /// See ``width``.
    public var height: Int
    /// The mean colour: red, green, blue.
    public var colour: Int

    /// Creates facts.
    public init(outcome: Int, width: Int, height: Int, colour: Int) {
        self.outcome = outcome
        self.width = width
        self.height = height
        self.colour = colour
    }
}

/// A shot as a contact sheet shows it: no path, no serial number.
public struct ShotOnSheet: Hashable, Sendable {
    /// A file of it that is saved.
    public struct File: Hashable, Sendable {
        /// Number in the ledger.
        public var id: CaptureID
        /// The camera's name for it.
        public var name: String
        /// Where it is; `nil` when it was cleared.
        public var path: String?
        /// SHA-256 of its bytes in lower-case hex.
        public var content: String
        /// What is known of its picture; `nil` when none was made yet.
        public var picture: PictureFacts?
    }

    /// Its number.
    public var id: ShotID
    /// Its files, as they came.
    public var files: [File]
    /// By its id in the fleet.
    public var camera: CameraID?
    /// The session, if there was one.
    public var session: SessionID?
    /// When the first of its files was saved.
    public var savedAt: Date
    /// Stars in the file; `nil` when nobody looked.
    public var fileRating: Int?
    /// What people say.
    public var ratings: [ShotRating]

    /// Stars: the most of what the file and people say; -1 when the owner rejects it.
    public var stars: Int {
        let given = ShotRating.stars(of: ratings)
        return given == -1 ? -1 : max(fileRating ?? 0, given ?? 0)
    }
}

extension LedgerStore {
    /// Shots that are saved, newest first.
    ///
    /// - Parameters:
    ///   - before: Only shots with a smaller number; `nil` begins with the newest.
    ///   - session: Only this session's; `nil` for all.
    public func shotsOnSheet(
        before: ShotID? = nil, session: SessionID? = nil, limit: Int
    ) async throws -> [ShotOnSheet] {
        try await read { db in
            let shots = try ShotID.fetchAll(
                db.cachedStatement(sql: Self.sheetSQL),
                arguments: ["before": before, "session": session, "limit": limit])
            return try Self.onSheet(db, shots)
        }
    }

    /// One shot that is saved; `nil` when there is none with this number.
    public func shotOnSheet(_ id: ShotID) async throws -> ShotOnSheet? {
        try await read { db in try Self.onSheet(db, [id]).first }
    }

    static let sheetSQL = """
        SELECT DISTINCT \(Schema.shot) AS shot FROM capture INDEXED BY capture_shot
        WHERE \(Schema.isCapture) AND state = 'saved' AND (:before IS NULL OR \(Schema.shot) < :before)
        AND (:session IS NULL OR session_id = :session)
        ORDER BY shot DESC LIMIT :limit
        """

    private static func onSheet(_ db: Database, _ shots: [ShotID]) throws -> [ShotOnSheet] {
        let files = try db.cachedStatement(
            sql: """
                SELECT file.*, camera.fleet_id, outcome, width, height, colour FROM (
                    SELECT id, camera_id, name, path, cleared_at, sha256, saved_at, session_id, rating
                    FROM capture INDEXED BY capture_shot
                    WHERE \(Schema.isCapture) AND state = 'saved' AND \(Schema.shot) = ?) AS file
                LEFT JOIN camera ON camera.id = file.camera_id
                LEFT JOIN picture ON picture.sha256 = file.sha256 ORDER BY file.id
                """)
        return try shots.compactMap { shot in
            var found: ShotOnSheet?
            for row in try Row.fetchAll(files, arguments: [shot]) {
                let outcome: Int? = row["outcome"]
                let file = ShotOnSheet.File(
                    id: row["id"], name: row["name"],
                    path: (row["cleared_at"] as Double?) == nil ? row["path"] : nil,
                    content: row["sha256"] ?? "",
                    picture: outcome.map {
                        PictureFacts(
                            outcome: $0, width: row["width"], height: row["height"], colour: row["colour"])
                    })
                guard found == nil else {
                    found?.files.append(file)
                    continue
                }
                found = ShotOnSheet(
                    id: shot, files: [file], camera: row["fleet_id"], session: row["session_id"],
                    savedAt: Date(timeIntervalSince1970: row["saved_at"] ?? 0), fileRating: row["rating"],
                    ratings: [])
            }
            guard var sheet = found else { return nil }
            sheet.ratings = try ratings(db, ofShot: shot)
            return sheet
        }
    }

    /// What people say of a shot.
    static func ratings(_ db: Database, ofShot shot: ShotID) throws -> [ShotRating] {
        let given = try db.cachedStatement(
            sql: """
                SELECT * FROM rating WHERE capture_id IN (
                    SELECT id FROM capture INDEXED BY capture_shot
                    WHERE \(Schema.isCapture) AND \(Schema.shot) = ?) ORDER BY given_at
                """)
        return newest(try Row.fetchAll(given, arguments: [shot]).map(ShotRating.init(row:)))
    }

    /// The last word of each: there may be one for each file of the shot, from before they were one.
    private static func newest(_ ratings: [ShotRating]) -> [ShotRating] {
        var last: [String: ShotRating] = [:]
        for rating in ratings { last[rating.rater.id] = rating }
        return last.values.sorted { $0.givenAt < $1.givenAt }
    }

    /// Changes what somebody says of a shot.
    ///
    /// - Parameter change: What they said before, to be made what they say now; may be asked twice.
    /// - Returns: the shot as it is then; `nil` when there is none with this number.
    public func rate(
        _ shot: ShotID, by rater: ShotRating.Rater, at now: Date,
        _ change: @escaping @Sendable (inout ShotRating) -> Void
    ) async throws -> ShotOnSheet? {
        try await write { db in
            guard let sheet = try Self.onSheet(db, [shot]).first, let first = sheet.files.first else {
                return nil
            }
            var rating =
                sheet.ratings.first { $0.rater.id == rater.id } ?? ShotRating(rater: rater, givenAt: now)
            (rating.rater, rating.givenAt) = (rater, now)
            change(&rating)
            for file in sheet.files {
                try db.execute(
                    sql: "DELETE FROM rating WHERE capture_id = ? AND rater = ?",
                    arguments: [file.id, rating.rater.id])
            }
            if rating.stars != nil || rating.pick != nil || rating.comment != nil {
                try db.execute(
                    sql: """
                        INSERT INTO rating (capture_id, rater, rater_name, is_owner, stars, pick, comment, given_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        first.id, rating.rater.id, rating.rater.name, rating.rater.isOwner, rating.stars,
                        rating.pick, rating.comment, rating.givenAt.timeIntervalSince1970,
                    ])
            }
            let after = try Self.onSheet(db, [shot]).first
            let stars = after.flatMap { ShotRating.stars(of: $0.ratings) }
            for file in sheet.files {
                try db.execute(
                    sql: "UPDATE capture SET given_rating = ? WHERE id = ?", arguments: [stars, file.id])
            }
            return after
        }
    }

    /// Keeps what was found out about a photo's picture.
    public func keep(_ facts: PictureFacts, ofPhoto sha256: String) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO picture (sha256, outcome, width, height, colour)
                    VALUES (?, ?, ?, ?, ?)
                    """, arguments: [sha256, facts.outcome, facts.width, facts.height, facts.colour])
        }
    }
}

extension ShotRating {
    init(row: Row) {
        self.init(
            rater: Rater(id: row["rater"], name: row["rater_name"], isOwner: row["is_owner"]),
            stars: row["stars"], pick: row["pick"], comment: row["comment"],
            givenAt: Date(timeIntervalSince1970: row["given_at"]))
    }
}
