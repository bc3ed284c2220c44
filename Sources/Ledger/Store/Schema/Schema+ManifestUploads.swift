extension Schema {
    /// Manifests at destinations, and sealings that were begun, v22.
    ///
    /// A row stands for a folder's history at one destination: as soon as a photo that a generation has is planned for it.
    static let manifestUploads = """
        CREATE TABLE manifest_upload (
            folder TEXT NOT NULL,               -- as in manifest
            destination TEXT NOT NULL,
            remote_folder TEXT NOT NULL,        -- what stands there for the folder: '' or ends with '/'
            generation INTEGER NOT NULL,        -- the newest that is there, with the chain that names it; 0: none
            newest INTEGER NOT NULL,            -- the newest here
            has_chain INTEGER NOT NULL DEFAULT 0,   -- whether a chain that is there is ours and may be replaced
            failures INTEGER NOT NULL DEFAULT 0,
            next_attempt_at REAL,
            sentence TEXT,
            next_step TEXT,
            PRIMARY KEY (folder, destination)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX manifest_upload_open ON manifest_upload (destination) WHERE generation < newest;
        CREATE TABLE sealing (
            folder TEXT PRIMARY KEY             -- a generation is being written: a start looks at these and no others
        ) STRICT, WITHOUT ROWID;
        """
}
