public import Foundation
public import FrameFastModel
import GRDB

/// Sessions. At most one session runs at a time.
extension LedgerStore {
    /// Starts a session, and stops the running session.
    public func startSession(
        name: String, uploadMode: UploadMode = .realtime, at now: Date
    ) async throws -> Session {
        try await write { db in
            try Self.endSession(db, at: now)
            try db.execute(
                sql: "INSERT INTO session (name, started_at, upload_mode) VALUES (?, ?, ?)",
                arguments: [name, now.timeIntervalSince1970, uploadMode.rawValue])
            return Session(
                id: SessionID(rawValue: db.lastInsertedRowID), name: name, startedAt: now,
                uploadMode: uploadMode)
        }
    }

    /// Stops the running session.
    ///
    /// - Returns: The stopped session, or `nil` if no session was running.
    public func stopSession(at now: Date) async throws -> Session? {
        try await write { db in
            guard var session = try Self.running(db) else { return nil }
            try Self.endSession(db, at: now)
            session.stoppedAt = now
            return session
        }
    }

    /// Returns the running session, or `nil` if no session is running.
    public func currentSession() async throws -> Session? { try await read(Self.running) }

    /// A session with the totals of its saved captures.
    public struct SessionSum: Hashable, Sendable {
        /// The session.
        public var session: Session
        /// The number of shots in the session. A RAW file and its JPEG are one shot.
        public var shots: Int
        /// The number of captures in the session.
        public var captures: Int
        /// The size of the session's captures, in bytes.
        public var bytes: UInt64

        /// Creates a sum.
        public init(_ session: Session, shots: Int = 0, captures: Int = 0, bytes: UInt64 = 0) {
            self.session = session
            self.shots = shots
            self.captures = captures
            self.bytes = bytes
        }
    }

    /// Returns sessions with the totals of their saved captures, newest first.
    ///
    /// - Parameter limit: The maximum number of sessions in the result, or `nil` for all.
    public func sessions(limit: Int? = nil) async throws -> [SessionSum] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "\(Self.sessionsSQL) ORDER BY session.id DESC LIMIT ?", arguments: [limit ?? -1]
            ).map(SessionSum.init(row:))
        }
    }

    /// Returns a session with the totals of its saved captures, or `nil` if the session is unknown.
    public func session(_ id: SessionID) async throws -> SessionSum? {
        try await read { db in
            try Row.fetchOne(db, sql: "\(Self.sessionsSQL) WHERE session.id = ?", arguments: [id])
                .map(SessionSum.init(row:))
        }
    }

    private static let sessionsSQL = """
        SELECT session.*, coalesce(shots, 0) AS shots, coalesce(photos, 0) AS captures,
            coalesce(bytes, 0) AS bytes
        FROM session LEFT JOIN capture_count ON session_id = session.id AND state = 'saved'
        """

    /// Returns the name of a session, or `nil` if the session is unknown.
    public func sessionName(_ id: SessionID) async throws -> String? {
        try await read { db in
            try String.fetchOne(db, sql: "SELECT name FROM session WHERE id = ?", arguments: [id])
        }
    }

    private static func running(_ db: Database) throws -> Session? {
        try Row.fetchOne(db, sql: "SELECT * FROM session WHERE stopped_at IS NULL ORDER BY id DESC LIMIT 1")
            .map(Session.init(row:))
    }

    private static func endSession(_ db: Database, at now: Date) throws {
        try db.execute(
            sql: "UPDATE session SET stopped_at = ? WHERE stopped_at IS NULL",
            arguments: [now.timeIntervalSince1970])
    }
}

extension LedgerStore.SessionSum {
    fileprivate init(row: Row) {
        self.init(
            Session(row: row), shots: row["shots"], captures: row["captures"],
            bytes: UInt64(bitPattern: row["bytes"] as Int64))
    }
}

extension Session {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"], name: row["name"], startedAt: Date(timeIntervalSince1970: row["started_at"]),
            stoppedAt: (row["stopped_at"] as Double?).map(Date.init(timeIntervalSince1970:)),
            uploadMode: UploadMode(rawValue: row["upload_mode"]) ?? .realtime,
            keep: (row["keep"] as String?).flatMap(RetentionRule.init))
    }
}
