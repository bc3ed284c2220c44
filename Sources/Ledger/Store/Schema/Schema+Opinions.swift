extension Schema {
    /// The migration for opinions about shots and for the facts of previews (v20).
    ///
    /// `opinion.capture_id` is the number of the shot's first file when the opinion was given. The number of
    /// a shot decreases if an earlier file becomes its partner. To find the opinions about a shot, search for
    /// the shot's number and for the numbers of its files. The table has no foreign key, because an opinion
    /// must outlive the deleted record of a file that is announced again. If a file becomes a duplicate, the
    /// trigger copies the file's opinions to the original. Of two opinions of one author, the newer opinion
    /// stays. `is_applied` is 0 until the opinion is applied to the uploads.
    ///
    /// `upload_unrated` has the photos whose rating a destination did not accept. After a new opinion, the
    /// destination may accept the photo.
    ///
    /// The migration adds no rows for older photos, because the ledger does not record why an older photo has
    /// no job for a destination. The reason can be the rating, another rule, an upload that a person dropped,
    /// or a destination that was added later. With rows for all these photos, an opinion would upload dropped
    /// and old photos. `framefast queue add` adds the upload of such a photo.
    static let opinions = """
        CREATE TABLE opinion (
            capture_id INTEGER NOT NULL,
            role TEXT NOT NULL,
            author_key TEXT NOT NULL,               -- device:7, user:eva
            author TEXT NOT NULL,                   -- the name for people
            stars INTEGER,
            pick INTEGER,                           -- 1: picked, 0: rejected
            comment TEXT,
            given_at REAL NOT NULL,
            is_applied INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (capture_id, role, author_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX opinion_unapplied ON opinion (capture_id) WHERE is_applied = 0;
        CREATE TRIGGER opinion_of_duplicate AFTER UPDATE OF state ON capture
        WHEN NEW.state = 'duplicate' AND OLD.state <> 'duplicate' AND NEW.twin_id IS NOT NULL BEGIN
            INSERT INTO opinion
                SELECT NEW.twin_id, role, author_key, author, stars, pick, comment, given_at, 0
                FROM opinion
                WHERE capture_id = NEW.id
                ON CONFLICT DO UPDATE SET author = excluded.author, stars = excluded.stars,
                    pick = excluded.pick, comment = excluded.comment, given_at = excluded.given_at, is_applied = 0
                WHERE excluded.given_at > opinion.given_at;
        END;
        CREATE TABLE upload_unrated (
            capture_id INTEGER NOT NULL,
            destination TEXT NOT NULL,
            PRIMARY KEY (capture_id, destination)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE preview (
            sha256 TEXT PRIMARY KEY,
            width INTEGER,
            height INTEGER,
            mean_color TEXT,                        -- #rrggbb
            state TEXT NOT NULL,                    -- ready, none
            fails INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        """
}
