extension Schema {
    /// The migration for uploads (v3).
    ///
    /// The migration marks existing photos as planned. Adding the first destination therefore does not upload
    /// them. Each index is for one query, and contains only the rows that can match. Triggers update the
    /// sums in `upload_count`. The cost of claims and counts therefore does not depend on the number of jobs.
    static let uploads = """
        ALTER TABLE session ADD COLUMN keep TEXT;
        ALTER TABLE capture ADD COLUMN rating INTEGER;
        ALTER TABLE capture ADD COLUMN is_protected INTEGER;
        ALTER TABLE capture ADD COLUMN cleared_at REAL;
        ALTER TABLE capture ADD COLUMN uploads_planned INTEGER NOT NULL DEFAULT 0;
        UPDATE capture SET uploads_planned = 1 WHERE state = 'saved';
        CREATE INDEX capture_unplanned ON capture (id) WHERE state = 'saved' AND uploads_planned = 0;
        CREATE TABLE upload_job (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            capture_id INTEGER NOT NULL REFERENCES capture(id),
            destination TEXT NOT NULL,
            state TEXT NOT NULL,
            hold TEXT NOT NULL DEFAULT '',          -- '': not held
            is_released INTEGER NOT NULL DEFAULT 0,
            priority INTEGER NOT NULL DEFAULT 0,
            remote_name TEXT NOT NULL,
            kind TEXT NOT NULL,                     -- kind, session and camera as in capture: they never change
            session_id INTEGER,
            camera_id TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            setbacks INTEGER NOT NULL DEFAULT 0,
            next_attempt_at REAL,
            resume_point TEXT,
            reason TEXT,
            sentence TEXT,
            next_step TEXT,
            created_at REAL NOT NULL,
            claimed_at REAL,
            delivered_at REAL,
            delivered_name TEXT,
            proof TEXT,
            evidence TEXT,
            was_there INTEGER,
            UNIQUE (capture_id, destination)
        ) STRICT;
        CREATE INDEX upload_job_queue ON upload_job (destination, priority, capture_id) WHERE state = 'queued';
        CREATE INDEX upload_job_due ON upload_job (destination, next_attempt_at) WHERE state = 'waiting';
        CREATE INDEX upload_job_running ON upload_job (id) WHERE state = 'uploading';
        CREATE INDEX upload_job_held ON upload_job (hold, session_id, destination, id) WHERE state = 'held';
        CREATE INDEX upload_job_open ON upload_job (session_id, id)
            WHERE state IN ('held', 'queued', 'waiting', 'uploading');
        CREATE INDEX upload_job_pictures ON upload_job (destination, session_id)
            WHERE kind = 'picture' AND state IN ('queued', 'uploading', 'waiting');
        CREATE INDEX upload_job_state ON upload_job (state, id);
        CREATE TABLE upload_count (
            destination TEXT NOT NULL,
            state TEXT NOT NULL,
            hold TEXT NOT NULL,
            jobs INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (destination, state, hold)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER upload_job_added AFTER INSERT ON upload_job BEGIN
            INSERT INTO upload_count VALUES (NEW.destination, NEW.state, NEW.hold, 1, NEW.bytes)
                ON CONFLICT DO UPDATE SET jobs = jobs + 1, bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER upload_job_moved AFTER UPDATE OF state, hold ON upload_job
        WHEN OLD.state <> NEW.state OR OLD.hold <> NEW.hold BEGIN
            UPDATE upload_count SET jobs = jobs - 1, bytes = bytes - OLD.bytes
                WHERE destination = OLD.destination AND state = OLD.state AND hold = OLD.hold;
            INSERT INTO upload_count VALUES (NEW.destination, NEW.state, NEW.hold, 1, NEW.bytes)
                ON CONFLICT DO UPDATE SET jobs = jobs + 1, bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER upload_job_removed AFTER DELETE ON upload_job BEGIN
            UPDATE upload_count SET jobs = jobs - 1, bytes = bytes - OLD.bytes
                WHERE destination = OLD.destination AND state = OLD.state AND hold = OLD.hold;
        END;
        CREATE TABLE upload_setting (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT;
        """

    /// The migration that updates the sums when the size of a queued upload changes because its photo was
    /// edited (v17).
    static let countsFollowBytes = """
        DROP TRIGGER upload_job_moved;
        CREATE TRIGGER upload_job_moved AFTER UPDATE OF state, hold, bytes ON upload_job
        WHEN OLD.state <> NEW.state OR OLD.hold <> NEW.hold OR OLD.bytes <> NEW.bytes BEGIN
            UPDATE upload_count SET jobs = jobs - 1, bytes = bytes - OLD.bytes
                WHERE destination = OLD.destination AND state = OLD.state AND hold = OLD.hold;
            INSERT INTO upload_count VALUES (NEW.destination, NEW.state, NEW.hold, 1, NEW.bytes)
                ON CONFLICT DO UPDATE SET jobs = jobs + 1, bytes = bytes + excluded.bytes;
        END;
        """
}
