import FrameFastModel
import GRDB

extension Schema {
    /// The migration for companion files (v16). Only pictures, RAW files and movies count as shots. Sound
    /// files, sidecars and the camera's system files do not count.
    static func separateCompanions(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE capture ADD COLUMN is_photo INTEGER NOT NULL DEFAULT 1")
        try db.execute(sql: photosAreShots)
        // The triggers update the sums for each changed row.
        let update = try db.cachedStatement(sql: "UPDATE capture SET is_photo = 0 WHERE id = ?")
        let names = try Row.fetchAll(db, sql: "SELECT id, name FROM capture")
        for row in names where MediaKind(fileName: row["name"]) == .other {
            try update.execute(arguments: [row["id"] as Int64])
        }
    }

    private static let photosAreShots = """
        DROP TRIGGER capture_added;
        DROP TRIGGER capture_removed;
        DROP TRIGGER capture_moved;
        CREATE TRIGGER capture_added AFTER INSERT ON capture BEGIN
            \(count("NEW", 1))
        END;
        CREATE TRIGGER capture_removed AFTER DELETE ON capture BEGIN
            \(count("OLD", -1))
        END;
        CREATE TRIGGER capture_moved AFTER UPDATE OF state, session_id, bytes, saved_at, pair_id, is_photo ON capture
        WHEN OLD.state <> NEW.state OR OLD.session_id IS NOT NEW.session_id OR OLD.bytes IS NOT NEW.bytes
            OR OLD.saved_at IS NOT NEW.saved_at OR OLD.pair_id IS NOT NEW.pair_id OR OLD.is_photo <> NEW.is_photo
        BEGIN
            \(count("OLD", -1))
            \(count("NEW", 1))
        END;
        """

    /// Returns the SQL condition that a trigger's row is the only saved photo of its shot.
    private static func isOnlyOfShot(_ row: String) -> String {
        """
        (\(row).state = 'saved' AND \(row).is_photo = 1
            AND NOT EXISTS (SELECT 1 FROM capture WHERE \(isCapture) AND state = 'saved' AND is_photo = 1
            AND \(shot) = coalesce(\(row).pair_id, \(row).id) AND id <> \(row).id))
        """
    }

    /// Returns the SQL that adds a trigger's row to the sums or subtracts it.
    private static func count(_ row: String, _ sign: Int) -> String {
        """
        INSERT INTO capture_count (session_id, state, photos, bytes, shots)
                VALUES (coalesce(\(row).session_id, 0), \(row).state, \(sign), \(sign) * coalesce(\(row).bytes, 0),
                    \(sign) * \(isOnlyOfShot(row)))
                ON CONFLICT DO UPDATE SET photos = photos + excluded.photos, bytes = bytes + excluded.bytes,
                    shots = shots + excluded.shots;
            INSERT INTO capture_quarter (quarter, photos, shots)
                SELECT CAST(\(row).saved_at / \(quarterSeconds) AS INTEGER), \(sign), \(sign) * \(isOnlyOfShot(row))
                WHERE \(row).state = 'saved' AND \(row).saved_at IS NOT NULL
                ON CONFLICT DO UPDATE SET photos = photos + excluded.photos, shots = shots + excluded.shots;
        """
    }
}
