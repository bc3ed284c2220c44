import Foundation
import GRDB

/// The schema as a list of migrations. Never edit a released migration. Add a new migration.
enum Schema {
    /// The SQL expression for the start of a hash. The index `capture_bytes` contains this start instead of
    /// the whole hash. In a ledger with 200,000 photos, the probability that two different hashes have the
    /// same start is 1 in 10,000.
    static let hashStart = "substr(sha256, 1, \(hashStartDigits))"
    /// The number of hexadecimal digits in ``hashStart``.
    static let hashStartDigits = 12

    /// Returns the migrator.
    ///
    /// - Parameter now: The creation time for a ledger without a stored creation time.
    static func migrator(at now: Date) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE session (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        name TEXT NOT NULL,
                        started_at REAL NOT NULL,
                        stopped_at REAL
                    ) STRICT;
                    CREATE TABLE camera (
                        id TEXT PRIMARY KEY,
                        name TEXT NOT NULL,
                        maker TEXT NOT NULL,
                        model TEXT NOT NULL,
                        serial TEXT NOT NULL,
                        port TEXT NOT NULL,
                        first_seen_at REAL NOT NULL,
                        last_seen_at REAL NOT NULL
                    ) STRICT;
                    CREATE TABLE capture (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        camera_id TEXT NOT NULL,
                        folder TEXT NOT NULL,
                        name TEXT NOT NULL,
                        stem TEXT NOT NULL,
                        size INTEGER NOT NULL,
                        camera_time INTEGER NOT NULL,   -- -1: the camera gave none (NULL would break UNIQUE)
                        state TEXT NOT NULL,
                        session_id INTEGER REFERENCES session(id),
                        detected_at REAL NOT NULL,
                        attempts INTEGER NOT NULL DEFAULT 0,
                        path TEXT UNIQUE,
                        bytes INTEGER,
                        sha256 TEXT,
                        counter INTEGER,
                        pair_id INTEGER,
                        saved_at REAL,
                        transfer_ms INTEGER,
                        failure TEXT,
                        deleted_on_camera_at REAL,
                        UNIQUE (camera_id, folder, name, size, camera_time)
                    ) STRICT;
                    CREATE INDEX capture_open ON capture (camera_id, state) WHERE state IN ('seen', 'publishing');
                    CREATE INDEX capture_stem ON capture (camera_id, stem);
                    CREATE INDEX capture_saved ON capture (saved_at);
                    CREATE INDEX capture_sums ON capture (state, bytes);
                    CREATE INDEX capture_session ON capture (session_id);
                    CREATE TABLE counter (
                        scope TEXT PRIMARY KEY,
                        value INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("v2") { db in
            try db.execute(
                sql: """
                    CREATE TABLE roster (
                        id TEXT PRIMARY KEY,
                        name TEXT NOT NULL UNIQUE,
                        is_named INTEGER NOT NULL,      -- by a person
                        maker TEXT NOT NULL,
                        model TEXT NOT NULL,
                        serial TEXT NOT NULL,
                        port TEXT NOT NULL,             -- of the last connection
                        network TEXT,                   -- in which the last connection was, NULL on the USB
                        is_kept INTEGER NOT NULL,       -- on the network: connected whenever it is there
                        is_ignored INTEGER NOT NULL,
                        last_seen_at REAL
                    ) STRICT;
                    ALTER TABLE session ADD COLUMN upload_mode TEXT NOT NULL DEFAULT 'realtime';
                    """)
        }
        migrator.registerMigration("v3") { db in try db.execute(sql: uploads) }
        migrator.registerMigration("v4") { db in try db.execute(sql: sums) }
        migrator.registerMigration("v5") { db in try db.execute(sql: retention) }
        migrator.registerMigration("v6 identity") { db in
            try db.execute(
                sql: """
                    ALTER TABLE camera ADD COLUMN place TEXT NOT NULL DEFAULT '';   -- port or address, last time
                    ALTER TABLE capture ADD COLUMN twin_id INTEGER;  -- same camera, name, size, time; other folder
                    """)
        }
        migrator.registerMigration("v7 camera listed") { db in
            // Earlier versions recorded a camera only after its card was listed completely.
            try db.execute(sql: "ALTER TABLE camera ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 1")
        }
        migrator.registerMigration("v8 second readings") { db in
            try db.execute(
                sql: """
                    ALTER TABLE capture ADD COLUMN verified TEXT;   -- NULL before it is saved
                    UPDATE capture SET verified = 'structure' WHERE state = 'saved';
                    CREATE INDEX capture_awaiting ON capture (camera_id) WHERE verified = 'awaiting_reread';
                    """)
        }
        migrator.registerMigration("v9 names begun anew") { db in try allowReusedNames(db) }
        migrator.registerMigration("v10 shots") { db in try db.execute(sql: shots) }
        migrator.registerMigration("v11 fleet's ids") { db in
            try db.execute(
                sql: """
                    ALTER TABLE camera ADD COLUMN fleet_id TEXT NOT NULL DEFAULT '';   -- of the last connection
                    UPDATE camera SET fleet_id = id;
                    CREATE INDEX camera_fleet ON camera (fleet_id);
                    """)
        }
        migrator.registerMigration("v12 retrying") { db in
            // Renames the stored state to its public name. All three indexes contain the old name.
            try db.execute(
                sql: """
                    DROP INDEX upload_job_due;
                    DROP INDEX upload_job_open;
                    DROP INDEX upload_job_pictures;
                    UPDATE upload_job SET state = 'retrying' WHERE state = 'waiting';
                    CREATE INDEX upload_job_due ON upload_job (destination, next_attempt_at)
                        WHERE state = 'retrying';
                    CREATE INDEX upload_job_open ON upload_job (session_id, id)
                        WHERE state IN ('held', 'queued', 'retrying', 'uploading');
                    CREATE INDEX upload_job_pictures ON upload_job (destination, session_id)
                        WHERE kind = 'picture' AND state IN ('queued', 'uploading', 'retrying');
                    """)
        }
        migrator.registerMigration("v13 camera's zone") { db in
            // The time zone of the camera's clock as an IANA name. NULL means the computer's zone.
            try db.execute(sql: "ALTER TABLE camera ADD COLUMN zone TEXT")
        }
        migrator.registerMigration("v14 equal photos") { db in
            // If all files of a camera have the same size, the old index by size would match all these files.
            // The new index uses the hash.
            try db.execute(
                sql: """
                    DROP INDEX capture_sums;
                    CREATE INDEX capture_bytes ON capture (state, \(hashStart));
                    """)
        }
        migrator.registerMigration("v15 session and zone of a photo") { db in
            try db.execute(
                sql: """
                    ALTER TABLE capture ADD COLUMN is_unsorted INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE capture ADD COLUMN zone TEXT;   -- of the camera's clock when the photo was found
                    """)
        }
        migrator.registerMigration("v16 companion files") { db in try separateCompanions(db) }
        migrator.registerMigration("v17 sizes of edited photos") { db in
            try db.execute(sql: countsFollowBytes)
        }
        migrator.registerMigration("v18 birth") { db in
            // An older ledger has no creation time. The migration sets it to the current time.
            try db.execute(sql: "CREATE TABLE birth (at REAL NOT NULL) STRICT")
            try db.execute(
                sql: "INSERT INTO birth VALUES (?)", arguments: [now.timeIntervalSince1970])
        }
        migrator.registerMigration("v19 originals of edited photos") { db in
            // The hash and size of the camera's original. NULL means that the file was not edited.
            try db.execute(
                sql: """
                    ALTER TABLE capture ADD COLUMN original_sha256 TEXT;
                    ALTER TABLE capture ADD COLUMN original_bytes INTEGER;
                    CREATE INDEX capture_original ON capture (original_sha256)
                        WHERE original_sha256 IS NOT NULL;
                    """)
        }
        migrator.registerMigration("v20 opinions and previews") { db in try db.execute(sql: opinions) }
        migrator.registerMigration("v21 devices of the web page") { db in try db.execute(sql: webDevices) }
        return migrator
    }
}
