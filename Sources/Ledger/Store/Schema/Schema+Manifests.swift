extension Schema {
    /// Manifests, v19: a photo's XXH128, whether a generation has it, and the generations that the ledger has taken in.
    ///
    /// The folder's chain is the truth. What stands here is what need not be read again for the next generation.
    static let manifests = """
        ALTER TABLE capture ADD COLUMN xxh128 TEXT;
        ALTER TABLE capture ADD COLUMN is_sealed INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE manifest (
            folder TEXT NOT NULL,           -- absolute path of the folder that has the history
            generation INTEGER NOT NULL,
            name TEXT NOT NULL,             -- of the manifest's file
            c4 TEXT NOT NULL,
            PRIMARY KEY (folder, generation)
        ) STRICT, WITHOUT ROWID;
        """
}
