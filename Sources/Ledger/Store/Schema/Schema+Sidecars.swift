extension Schema {
    /// Sidecars, v24: what lies beside photos, by the bytes that were written.
    ///
    /// A row is there before its file is: whatever a crash leaves is known by it. It is due when what the file says may be out
    /// of date.
    static let sidecars = """
        CREATE TABLE sidecar (
            capture_id INTEGER NOT NULL REFERENCES capture(id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            path TEXT NOT NULL,
            written TEXT,                   -- SHA-256 of the bytes that were written; NULL: the name was taken
            next TEXT,                      -- of those that are being written over them
            made_at REAL NOT NULL,
            is_due INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (capture_id, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sidecar_due ON sidecar (capture_id) WHERE is_due = 1 OR next IS NOT NULL;
        CREATE TRIGGER sidecar_photo_changed AFTER UPDATE OF given_rating, rating, sha256, path ON capture
        WHEN OLD.given_rating IS NOT NEW.given_rating OR OLD.rating IS NOT NEW.rating
            OR OLD.sha256 IS NOT NEW.sha256 OR OLD.path IS NOT NEW.path BEGIN
            UPDATE sidecar SET is_due = 1 WHERE capture_id = NEW.id;
        END;
        CREATE TRIGGER sidecar_rated AFTER INSERT ON rating BEGIN
            \(ratedIsDue("NEW"))
        END;
        CREATE TRIGGER sidecar_unrated AFTER DELETE ON rating BEGIN
            \(ratedIsDue("OLD"))
        END;
        """

    /// A rating belongs to one file of its shot, and counts for all.
    private static func ratedIsDue(_ row: String) -> String {
        """
        UPDATE sidecar SET is_due = 1 WHERE capture_id IN (
            SELECT id FROM capture
            WHERE \(isCapture) AND \(shot) = (SELECT \(shot) FROM capture WHERE id = \(row).capture_id));
        """
    }
}
