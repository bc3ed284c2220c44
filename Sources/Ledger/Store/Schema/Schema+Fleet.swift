extension Schema {
    /// What other computers are told, v17: events that no broker has yet, and orders of theirs that were claimed.
    ///
    /// An event is entered in the transaction that makes its fact true, so that neither is without the other.
    static let fleet = """
        CREATE TABLE fleet_event (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice: a reader sees what is missing
            kind TEXT NOT NULL,
            at REAL NOT NULL,
            facts TEXT NOT NULL                         -- JSON
        ) STRICT;
        CREATE TABLE fleet_order (
            id TEXT PRIMARY KEY,
            claimed_at REAL NOT NULL,
            answer TEXT                                 -- JSON; NULL until it was carried out
        ) STRICT;
        CREATE INDEX fleet_order_age ON fleet_order (claimed_at);
        CREATE TABLE fleet_switch (
            only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
            is_on INTEGER NOT NULL,
            boot TEXT NOT NULL                          -- stays while the numbers of events go on
        ) STRICT;
        INSERT INTO fleet_switch VALUES (1, 0, lower(hex(randomblob(8))));
        CREATE TRIGGER fleet_capture_saved AFTER UPDATE OF state ON capture
        WHEN NEW.state = 'saved' AND OLD.state <> 'saved' AND (SELECT is_on FROM fleet_switch) BEGIN
            INSERT INTO fleet_event (kind, at, facts) VALUES ('saved', coalesce(NEW.saved_at, NEW.detected_at),
                json_object('capture', NEW.id, 'shot', coalesce(NEW.pair_id, NEW.id), 'group_shot', NEW.group_shot_id,
                    'camera', NEW.camera_id, 'bytes', NEW.bytes, 'sha256', NEW.sha256, 'session', NEW.session_id));
        END;
        CREATE TRIGGER fleet_delivered AFTER UPDATE OF state ON upload_job
        WHEN NEW.state = 'delivered' AND OLD.state <> 'delivered' AND (SELECT is_on FROM fleet_switch) BEGIN
            INSERT INTO fleet_event (kind, at, facts) VALUES ('delivered', coalesce(NEW.delivered_at, NEW.created_at),
                json_object('capture', NEW.capture_id, 'camera', NEW.camera_id, 'destination', NEW.destination,
                    'bytes', NEW.bytes));
        END;
        CREATE TRIGGER fleet_session_started AFTER INSERT ON session
        WHEN (SELECT is_on FROM fleet_switch) BEGIN
            INSERT INTO fleet_event (kind, at, facts)
            VALUES ('session-started', NEW.started_at, json_object('session', NEW.id, 'name', NEW.name));
        END;
        CREATE TRIGGER fleet_session_stopped AFTER UPDATE OF stopped_at ON session
        WHEN NEW.stopped_at IS NOT NULL AND OLD.stopped_at IS NULL AND (SELECT is_on FROM fleet_switch) BEGIN
            INSERT INTO fleet_event (kind, at, facts)
            VALUES ('session-stopped', NEW.stopped_at, json_object('session', NEW.id, 'name', NEW.name));
        END;
        CREATE TRIGGER fleet_event_bound AFTER INSERT ON fleet_event BEGIN
            DELETE FROM fleet_event WHERE seq <= NEW.seq - \(eventsMax);
        END;
        """

    /// Events that are kept for a broker, at most: a busy week of a booth, some 30 MB. The oldest go first, and who reads sees the
    /// hole in their numbers.
    static let eventsMax = 100_000
}
