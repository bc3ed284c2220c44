extension Schema {
    /// The migration for retention (v5).
    ///
    /// `is_clearing` is 1 from the decision to remove a photo's file until the file is durably removed. With
    /// the index `capture_here`, queries for the photos of a session skip cleared photos.
    static let retention = """
        ALTER TABLE capture ADD COLUMN is_clearing INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX capture_clearing ON capture (id) WHERE is_clearing = 1;
        CREATE INDEX capture_here ON capture (session_id, id) WHERE state = 'saved' AND cleared_at IS NULL;
        """
}
