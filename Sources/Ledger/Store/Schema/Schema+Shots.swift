extension Schema {
    /// The migration for shots (v10). A RAW file and its JPEG are one shot, and the sums count both files and
    /// shots.
    ///
    /// The first saved file of a shot adds 1 to the number of shots.
    static let shots = """
        CREATE INDEX capture_shot ON capture (\(shot)) WHERE \(isCapture);
        ALTER TABLE capture_count ADD COLUMN shots INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE capture_quarter ADD COLUMN shots INTEGER NOT NULL DEFAULT 0;
        UPDATE capture_count SET shots = sums.shots FROM (
            SELECT coalesce(session_id, 0) AS session, count(DISTINCT \(shot)) AS shots FROM capture
            WHERE state = 'saved' GROUP BY 1) AS sums
        WHERE session_id = sums.session AND state = 'saved';
        UPDATE capture_quarter SET shots = sums.shots FROM (
            SELECT CAST(saved_at / \(quarterSeconds) AS INTEGER) AS quarter, count(*) AS shots FROM (
                SELECT min(saved_at) AS saved_at FROM capture
                WHERE state = 'saved' AND saved_at IS NOT NULL GROUP BY \(shot))
            GROUP BY 1) AS sums
        WHERE capture_quarter.quarter = sums.quarter;
        DROP TRIGGER capture_added;
        DROP TRIGGER capture_removed;
        DROP TRIGGER capture_moved;
        CREATE TRIGGER capture_added AFTER INSERT ON capture BEGIN
            \(count("NEW", 1))
        END;
        CREATE TRIGGER capture_removed AFTER DELETE ON capture BEGIN
            \(count("OLD", -1))
        END;
        CREATE TRIGGER capture_moved AFTER UPDATE OF state, session_id, bytes, saved_at, pair_id ON capture
        WHEN OLD.state <> NEW.state OR OLD.session_id IS NOT NEW.session_id OR OLD.bytes IS NOT NEW.bytes
            OR OLD.saved_at IS NOT NEW.saved_at OR OLD.pair_id IS NOT NEW.pair_id
        BEGIN
            \(count("OLD", -1))
            \(count("NEW", 1))
        END;
        """

    /// The SQL expression for the shot of a row of `capture`.
    static let shot = "coalesce(pair_id, id)"

    /// The SQL condition that a row of `capture` is a capture. Excludes duplicates, possible duplicates and
    /// skipped photos.
    static let isCapture =
        "state NOT IN ('duplicate', 'skipped') AND (twin_id IS NULL OR state <> 'seen')"

    /// Returns the SQL condition that a trigger's row is the only saved file of its shot.
    private static func isOnlyOfShot(_ row: String) -> String {
        """
        (\(row).state = 'saved' AND NOT EXISTS (SELECT 1 FROM capture WHERE \(isCapture) AND state = 'saved'
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
