import FrameFastModel

extension Schema {
    /// What happened to captures, v18: each step as a row, entered by the change itself.
    ///
    /// Triggers write it, whatever statement makes the change: a try that a crash cut off is on record when the service has
    /// given its job back. A photo with one destination has three rows, some 350 bytes.
    static let history = """
        CREATE TABLE history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            capture_id INTEGER NOT NULL REFERENCES capture(id) ON DELETE CASCADE,
            at REAL NOT NULL,
            kind TEXT NOT NULL,
            destination TEXT,
            seconds REAL,
            bytes INTEGER,
            outcome TEXT,
            detail TEXT,
            asker TEXT                                  -- NULL: the service itself
        ) STRICT;
        CREATE INDEX history_capture ON history (capture_id, id);
        CREATE INDEX history_at ON history (at);
        CREATE TRIGGER history_bound AFTER INSERT ON history BEGIN
            DELETE FROM history WHERE id <= NEW.id - \(historyStepsMax);
        END;
        CREATE TABLE asker (
            only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
            name TEXT                                   -- who asked for the change that is being made
        ) STRICT;
        INSERT INTO asker VALUES (1, NULL);

        CREATE TRIGGER history_seen AFTER INSERT ON capture WHEN NEW.state <> 'skipped' BEGIN
            \(step("seen", row: "NEW.id", at: "NEW.detected_at", bytes: "NEW.size"))
        END;
        CREATE TRIGGER history_wanted AFTER UPDATE OF state ON capture
        WHEN OLD.state = 'skipped' AND NEW.state = 'seen' BEGIN
            \(step("seen", row: "NEW.id", bytes: "NEW.size"))
        END;
        CREATE TRIGGER history_read_failed AFTER UPDATE OF attempts ON capture
        WHEN NEW.attempts > OLD.attempts BEGIN
            \(step("read_failed", row: "NEW.id", detail: "NEW.failure"))
        END;
        CREATE TRIGGER history_set_aside AFTER UPDATE OF state ON capture
        WHEN NEW.state = 'set_aside' AND OLD.state <> 'set_aside' BEGIN
            \(step("set_aside", row: "NEW.id", detail: "NEW.failure"))
        END;
        CREATE TRIGGER history_read_again AFTER UPDATE OF state ON capture
        WHEN NEW.state = 'seen' AND OLD.state IN ('set_aside', 'publishing') BEGIN
            \(step("read_again", row: "NEW.id"))
        END;
        CREATE TRIGGER history_saved AFTER UPDATE OF state ON capture
        WHEN NEW.state = 'saved' AND OLD.state <> 'saved' BEGIN
            \(step(
                "saved", row: "NEW.id", at: "coalesce(NEW.saved_at, \(now))", seconds: "NEW.transfer_ms / 1000.0",
                bytes: "NEW.bytes", outcome: "NEW.verified"))
        END;
        CREATE TRIGGER history_duplicate AFTER UPDATE OF state ON capture
        WHEN NEW.state = 'duplicate' AND OLD.state <> 'duplicate' BEGIN
            \(step("duplicate", row: "NEW.id", detail: "'of photo ' || NEW.twin_id"))
        END;
        CREATE TRIGGER history_verified AFTER UPDATE OF verified ON capture
        WHEN OLD.verified = 'awaiting_reread' AND NEW.verified <> OLD.verified BEGIN
            \(step("verified", row: "NEW.id", outcome: "NEW.verified"))
        END;
        CREATE TRIGGER history_deleted_on_camera AFTER UPDATE OF deleted_on_camera_at ON capture
        WHEN NEW.deleted_on_camera_at IS NOT NULL AND OLD.deleted_on_camera_at IS NULL BEGIN
            \(step("deleted_on_camera", row: "NEW.id", at: "NEW.deleted_on_camera_at"))
        END;
        CREATE TRIGGER history_cleared AFTER UPDATE OF is_clearing ON capture
        WHEN OLD.is_clearing = 1 AND NEW.is_clearing = 0 AND NEW.cleared_at IS NOT NULL BEGIN
            \(step("cleared", row: "NEW.id", at: "NEW.cleared_at", bytes: "NEW.bytes"))
        END;

        CREATE TRIGGER history_entered AFTER INSERT ON upload_job WHEN NEW.hold <> '' BEGIN
            \(step("held", row: "NEW.capture_id", to: "NEW.destination", outcome: "NEW.hold"))
        END;
        -- One trigger for what one statement may change together: SQLite fires several in no order of ours.
        CREATE TRIGGER history_upload AFTER UPDATE OF state, hold, priority ON upload_job
        WHEN OLD.state <> NEW.state OR OLD.hold <> NEW.hold OR OLD.priority < NEW.priority BEGIN
            \(step(
                "upload", row: "NEW.capture_id", to: "NEW.destination",
                seconds: "max(0, \(now) - OLD.claimed_at)",
                bytes: "CASE NEW.state WHEN 'delivered' THEN NEW.bytes END", outcome: "NEW.state",
                detail: """
                    CASE WHEN NEW.state = 'delivered'
                        THEN NEW.proof || ': ' || NEW.evidence || CASE NEW.was_there WHEN 1 THEN ' (was there)' ELSE '' END
                        WHEN NEW.state IN ('retrying', 'failed') THEN NEW.sentence END
                    """,
                when: "OLD.state <> NEW.state AND (OLD.state = 'uploading' OR NEW.state = 'delivered')"))
            \(step(
                "held", row: "NEW.capture_id", to: "NEW.destination", outcome: "NEW.hold",
                when: "NEW.hold <> '' AND NEW.hold <> OLD.hold"))
            \(step(
                "released", row: "NEW.capture_id", to: "NEW.destination",
                when: "OLD.hold <> '' AND NEW.hold = '' AND NEW.state <> 'delivered'"))
            \(step(
                "retried", row: "NEW.capture_id", to: "NEW.destination",
                when: """
                    NEW.state = 'queued' AND (OLD.state = 'failed'
                        OR (OLD.state = 'retrying' AND (SELECT name FROM asker) IS NOT NULL))
                    """))
            \(step(
                "put_first", row: "NEW.capture_id", to: "NEW.destination", when: "NEW.priority > OLD.priority"))
        END;
        CREATE TRIGGER history_dropped AFTER DELETE ON upload_job
        WHEN EXISTS (SELECT 1 FROM capture WHERE id = OLD.capture_id) BEGIN
            \(step("dropped", row: "OLD.capture_id", to: "OLD.destination"))
        END;

        CREATE TRIGGER history_rated AFTER INSERT ON rating BEGIN
            \(step(
                "rated", row: "NEW.capture_id", at: "NEW.given_at",
                outcome: """
                    nullif(trim(coalesce(NEW.stars, '') || CASE NEW.pick WHEN 1 THEN ' picked' WHEN 0 THEN ' rejected'
                        ELSE '' END), '')
                    """, detail: "NEW.comment",
                asker: """
                    CASE NEW.rater WHEN '' THEN (SELECT name FROM asker)
                        ELSE '\(Asker.devicePrefix)' || NEW.rater_name END
                    """))
        END;
        """

    /// Steps that are kept: of half a million photos, some 250 MB. The oldest go first.
    static let historyStepsMax = 2_000_000

    /// This moment, in seconds of Unix time; all statements of a step agree in it.
    private static let now = "(julianday('now') - 2440587.5) * 86400.0"

    /// The statement of a trigger that enters a step; each value is an expression over the row that changed.
    ///
    /// - Parameters:
    ///   - row: The capture's number.
    ///   - to: The upload's destination.
    private static func step(
        _ kind: String, row: String, at: String = now, to: String = "NULL",
        seconds: String = "NULL", bytes: String = "NULL", outcome: String = "NULL", detail: String = "NULL",
        asker: String = "(SELECT name FROM asker)", when: String = "true"
    ) -> String {
        """
        INSERT INTO history (capture_id, at, kind, destination, seconds, bytes, outcome, detail, asker)
        SELECT \(row), \(at), '\(kind)', \(to), \(seconds), \(bytes), \(outcome), \(detail), \(asker)
        WHERE \(when);
        """
    }
}
