extension Schema {
    /// What durable hooks are to be run for, v21.
    ///
    /// What happens to photos is entered in the transaction that makes it true, so that a hook misses none of them when the
    /// service is killed; everything else is entered by the service as soon as it hears of it.
    static let hookEvents = """
        CREATE TABLE hook_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,       -- never used twice: a program knows a repeat by it
            hook TEXT NOT NULL,
            moment TEXT NOT NULL,
            capture_id INTEGER,
            job_id INTEGER,
            facts TEXT                                  -- JSON; NULL for what is looked up
        ) STRICT;
        CREATE INDEX hook_event_order ON hook_event (hook, id);
        CREATE TABLE hook_watch (                       -- durable hooks, a row for each moment that they are run in
            moment TEXT NOT NULL,
            hook TEXT NOT NULL,
            PRIMARY KEY (moment, hook)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER hook_capture_saved AFTER UPDATE OF state, verified ON capture
        WHEN NEW.state = 'saved' AND NEW.verified IS NOT 'awaiting_reread'
            AND (OLD.state <> 'saved' OR OLD.verified IS 'awaiting_reread')
            AND EXISTS (SELECT 1 FROM hook_watch WHERE moment = 'saved') BEGIN
            INSERT INTO hook_event (hook, moment, capture_id)
                SELECT hook, moment, NEW.id FROM hook_watch WHERE moment = 'saved';
        END;
        CREATE TRIGGER hook_upload AFTER UPDATE OF state ON upload_job
        WHEN NEW.state IN ('delivered', 'failed') AND OLD.state <> NEW.state
            AND EXISTS (SELECT 1 FROM hook_watch WHERE moment IN ('delivered', 'delivered-everywhere', 'failed')) BEGIN
            INSERT INTO hook_event (hook, moment, capture_id, job_id)
                SELECT hook, moment, NEW.capture_id, NEW.id FROM hook_watch
                WHERE moment = NEW.state OR (NEW.state = 'delivered' AND moment = 'delivered-everywhere')
                ORDER BY moment;
        END;
        CREATE TRIGGER hook_event_bound AFTER INSERT ON hook_event BEGIN
            DELETE FROM hook_event WHERE id <= NEW.id - \(hookEventsMax);
        END;
        """

    /// Events that wait for durable hooks, at most, of all hooks together: a busy week of a booth. The oldest go first.
    static let hookEventsMax = 100_000
}
