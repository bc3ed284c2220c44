extension Schema {
    /// Shots of groups, v16: what each camera has of each.
    static let groups = """
        CREATE TABLE group_shot (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_name TEXT NOT NULL,
            at REAL NOT NULL
        ) STRICT;
        CREATE INDEX group_shot_name ON group_shot (group_name, id);
        CREATE TABLE group_frame (
            group_shot_id INTEGER NOT NULL REFERENCES group_shot(id) ON DELETE CASCADE,
            place INTEGER NOT NULL,         -- of the camera in the group
            name TEXT NOT NULL,             -- of the camera, then
            camera_id TEXT,                 -- of the body; NULL for one that was not connected
            at REAL NOT NULL,
            capture_id INTEGER,             -- NULL while no photo was announced
            missing TEXT,                   -- why no photo was taken; NULL when one may come
            is_settled INTEGER NOT NULL DEFAULT 0,  -- whether it was counted: one that comes is late
            PRIMARY KEY (group_shot_id, place)
        ) STRICT;
        CREATE INDEX group_frame_camera ON group_frame (camera_id, at);
        ALTER TABLE capture ADD COLUMN group_shot_id INTEGER;
        """
}
