extension Schema {
    /// Ratings, v15: what people say of shots, who may from where, and what is known of pictures.
    ///
    /// A rating belongs to the file of its shot that was there first: a shot changes its number when its second file is found.
    static let ratings = """
        CREATE TABLE rating (
            capture_id INTEGER NOT NULL REFERENCES capture(id) ON DELETE CASCADE,
            rater TEXT NOT NULL,            -- id of a device; empty for whoever controls the service
            rater_name TEXT NOT NULL,
            is_owner INTEGER NOT NULL,
            stars INTEGER,                  -- 0...5; NULL when none were given
            pick INTEGER,                   -- 1 picked, 0 rejected; NULL for neither
            comment TEXT,
            given_at REAL NOT NULL,
            PRIMARY KEY (capture_id, rater)
        ) STRICT;
        ALTER TABLE capture ADD COLUMN given_rating INTEGER;  -- by people: -1 rejected, 0...5; NULL for none
        CREATE TRIGGER capture_paired AFTER UPDATE OF pair_id ON capture WHEN NEW.pair_id IS NOT NULL BEGIN
            UPDATE capture SET given_rating = (
                SELECT CASE WHEN min(given_rating) = -1 THEN -1 ELSE max(given_rating) END
                FROM capture WHERE \(shot) = NEW.pair_id)
            WHERE \(shot) = NEW.pair_id;
        END;
        CREATE TABLE web_device (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            session_id INTEGER,
            is_done INTEGER NOT NULL,
            paired_at REAL NOT NULL,
            last_used_at REAL NOT NULL,
            token BLOB NOT NULL             -- its SHA-256: the token itself is nowhere here
        ) STRICT;
        CREATE TABLE picture (
            sha256 TEXT PRIMARY KEY,
            outcome INTEGER NOT NULL,       -- 0 made; others: there is none
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            colour INTEGER NOT NULL         -- the mean one: red, green, blue
        ) STRICT, WITHOUT ROWID;
        """
}
