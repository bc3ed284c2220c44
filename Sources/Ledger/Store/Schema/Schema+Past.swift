import GRDB

extension Schema {
    /// The migration for cameras that reuse file names (v9).
    ///
    /// A photo is past (`is_past`) if its original was or may have been deleted on the camera. A new object
    /// with the same name, size and time may then be another photo. The unique constraint must therefore
    /// exclude past photos. SQLite cannot drop a constraint, so the migration copies the table. A unique
    /// index over photos that are not past replaces the constraint.
    static func allowReusedNames(_ db: Database) throws {
        let columns = try db.columns(in: "capture").map(\.name)
        let indexesAndTriggers = try String.fetchAll(
            db,
            sql: """
                SELECT sql FROM sqlite_schema
                WHERE tbl_name = 'capture' AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid
                """)
        let lastNumber = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'capture'")
        let list = columns.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE TABLE capture_anew (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    camera_id TEXT NOT NULL,
                    folder TEXT NOT NULL,
                    name TEXT NOT NULL,
                    stem TEXT NOT NULL,
                    size INTEGER NOT NULL,
                    camera_time INTEGER NOT NULL,   -- -1: the camera gave none (NULL would break uniqueness)
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
                    rating INTEGER,
                    is_protected INTEGER,
                    cleared_at REAL,
                    uploads_planned INTEGER NOT NULL DEFAULT 0,
                    is_clearing INTEGER NOT NULL DEFAULT 0,
                    twin_id INTEGER,                -- same camera, name, size, time
                    verified TEXT,                  -- NULL before it is saved
                    is_past INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                INSERT INTO capture_anew (\(list)) SELECT \(list) FROM capture;
                DROP TABLE capture;
                ALTER TABLE capture_anew RENAME TO capture;
                UPDATE capture SET is_past = 1 WHERE deleted_on_camera_at IS NOT NULL;
                CREATE UNIQUE INDEX capture_object ON capture (camera_id, folder, name, size, camera_time)
                    WHERE is_past = 0;
                """)
        for statement in indexesAndTriggers { try db.execute(sql: statement) }
        // Ensures that the numbers of deleted records are not reused.
        try db.execute(
            sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'capture'",
            arguments: [lastNumber ?? 0]
        )
    }
}
