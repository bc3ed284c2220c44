extension Schema {
    /// The migration for paired devices of the web page (v21).
    ///
    /// The token of a device is not stored, only its hash. The session's end comes from the table of
    /// sessions. A stopped session therefore limits its devices even after a crash of the service.
    static let webDevices = """
        CREATE TABLE web_device (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            session_id INTEGER REFERENCES session(id),  -- NULL for an owner
            token_sha256 TEXT NOT NULL UNIQUE,
            created_at REAL NOT NULL,
            last_used_at REAL NOT NULL,
            done_at REAL                                -- NULL: ratings can change
        ) STRICT;
        """
}
