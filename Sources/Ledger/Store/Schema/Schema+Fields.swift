extension Schema {
    /// Fields, v23: what people say of the photos that a session or one of its cameras takes next, and what each photo was
    /// given of that when it was heard of; the lists that fields are walked through; and what files say of how they were taken.
    ///
    /// A row of `field` with an empty text is one that is not set: for all cameras what was cleared, for one camera also what a
    /// row of a list leaves empty.
    static let fields = """
        ALTER TABLE capture ADD COLUMN fields TEXT;             -- JSON: texts by name; NULL for none
        ALTER TABLE capture ADD COLUMN exif_iso INTEGER;
        ALTER TABLE capture ADD COLUMN exif_shutter REAL;       -- seconds
        ALTER TABLE capture ADD COLUMN exif_aperture REAL;
        ALTER TABLE capture ADD COLUMN exif_focal_length REAL;  -- millimetres
        ALTER TABLE capture ADD COLUMN exif_lens TEXT;
        CREATE TABLE field (
            session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
            camera_id TEXT NOT NULL,                            -- in the fleet; '' for all cameras
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            set_at REAL NOT NULL,
            asker TEXT,
            PRIMARY KEY (session_id, camera_id, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE field_list (
            session_id INTEGER PRIMARY KEY REFERENCES session(id) ON DELETE CASCADE,
            columns TEXT NOT NULL                               -- JSON: names
        ) STRICT;
        CREATE TABLE field_row (
            session_id INTEGER NOT NULL REFERENCES field_list(session_id) ON DELETE CASCADE,
            number INTEGER NOT NULL,                            -- from 1
            code TEXT NOT NULL,                                 -- what is in its first column
            texts TEXT NOT NULL,                                -- JSON: one for each column
            PRIMARY KEY (session_id, number),
            UNIQUE (session_id, code)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE field_place (
            session_id INTEGER NOT NULL REFERENCES field_list(session_id) ON DELETE CASCADE,
            camera_id TEXT NOT NULL,                            -- as in field
            number INTEGER NOT NULL,
            PRIMARY KEY (session_id, camera_id)
        ) STRICT, WITHOUT ROWID;
        -- A photo gets its fields once, when it is heard of: one step for each person that set some of them.
        CREATE TRIGGER history_fields AFTER UPDATE OF fields ON capture WHEN NEW.fields IS NOT NULL BEGIN
            INSERT INTO history (capture_id, at, kind, detail, asker)
            SELECT NEW.id, NEW.detected_at, 'fields', group_concat(key || '=' || value, ', '), asker
            FROM (SELECT given.key, given.value, (
                    SELECT asker FROM field WHERE session_id = NEW.session_id AND name = given.key
                        AND text = given.value ORDER BY set_at DESC LIMIT 1) AS asker
                FROM json_each(NEW.fields) AS given ORDER BY given.key)
            GROUP BY asker;
        END;
        """
}
