extension Schema {
    /// The migration for sums over photos (v4). Triggers update the sums, so the cost of the status does not
    /// depend on the number of photos.
    ///
    /// Photos are counted in intervals of 15 minutes. In every time zone, a day starts at the start of such
    /// an interval.
    static let sums = """
        CREATE TABLE capture_count (
            session_id INTEGER NOT NULL,            -- 0: none
            state TEXT NOT NULL,
            photos INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (session_id, state)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE capture_quarter (
            quarter INTEGER PRIMARY KEY,            -- of an hour, since 1970
            photos INTEGER NOT NULL
        ) STRICT;
        INSERT INTO capture_count SELECT coalesce(session_id, 0), state, count(*), coalesce(sum(bytes), 0)
            FROM capture GROUP BY 1, 2;
        INSERT INTO capture_quarter SELECT CAST(saved_at / \(quarterSeconds) AS INTEGER), count(*) FROM capture
            WHERE state = 'saved' AND saved_at IS NOT NULL GROUP BY 1;
        CREATE TRIGGER capture_added AFTER INSERT ON capture BEGIN
            \(count("NEW", 1))
        END;
        CREATE TRIGGER capture_removed AFTER DELETE ON capture BEGIN
            \(count("OLD", -1))
        END;
        CREATE TRIGGER capture_moved AFTER UPDATE OF state, session_id, bytes, saved_at ON capture
        WHEN OLD.state <> NEW.state OR OLD.session_id IS NOT NEW.session_id OR OLD.bytes IS NOT NEW.bytes
            OR OLD.saved_at IS NOT NEW.saved_at
        BEGIN
            \(count("OLD", -1))
            \(count("NEW", 1))
        END;
        DROP INDEX capture_saved;
        CREATE INDEX capture_saved ON capture (saved_at) WHERE state = 'saved';
        """

    /// The length of a counting interval, in seconds.
    static let quarterSeconds = 900

    /// Returns the SQL that adds a trigger's row to the sums or subtracts it.
    private static func count(_ row: String, _ sign: Int) -> String {
        """
        INSERT INTO capture_count
                VALUES (coalesce(\(row).session_id, 0), \(row).state, \(sign), \(sign) * coalesce(\(row).bytes, 0))
                ON CONFLICT DO UPDATE SET photos = photos + excluded.photos, bytes = bytes + excluded.bytes;
            INSERT INTO capture_quarter SELECT CAST(\(row).saved_at / \(quarterSeconds) AS INTEGER), \(sign)
                WHERE \(row).state = 'saved' AND \(row).saved_at IS NOT NULL
                ON CONFLICT DO UPDATE SET photos = photos + excluded.photos;
        """
    }
}
