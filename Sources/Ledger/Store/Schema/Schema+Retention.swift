extension Schema {
    /// The migration for retention (v5).
    ///
    /// A photo is `is_clearing` from the decision to remove its file until the file is durably removed. The
    /// index `capture_here` lets queries of a session skip cleared photos.
    static let retention = """
        ALTER TABLE capture ADD COLUMN is_clearing INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX capture_clearing ON capture (id) WHERE is_clearing = 1;
        CREATE INDEX capture_here ON capture (session_id, id) WHERE state = 'saved' AND cleared_at IS NULL;
        """
}
