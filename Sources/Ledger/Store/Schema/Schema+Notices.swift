extension Schema {
    /// What notices told people, and are to tell, v20: a row for each notice and condition until its end was told.
    static let notices = """
        CREATE TABLE notice (
            notice TEXT NOT NULL,
            code TEXT NOT NULL,
            subject TEXT NOT NULL,                      -- JSON; '' for the service
            condition TEXT NOT NULL,                    -- JSON, as it was when it began
            name TEXT,
            stage TEXT NOT NULL,
            ended_at REAL,
            is_being_told INTEGER NOT NULL,             -- written before a try
            PRIMARY KEY (notice, code, subject)
        ) STRICT, WITHOUT ROWID;
        """
}
