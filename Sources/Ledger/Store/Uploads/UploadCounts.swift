public import FrameFastModel
import GRDB

/// The number of a destination's jobs in each state.
public struct UploadCounts: Hashable, Sendable {
    /// A number of jobs and their size.
    public struct Sum: Hashable, Sendable {
        /// The number of jobs.
        public var jobs = 0
        /// The size of their files, in bytes.
        public var bytes: UInt64 = 0

        /// Creates a sum of zero.
        public init() {}
    }

    /// The sums by state.
    public var states: [UploadJob.State: Sum] = [:]
    /// The sums of held jobs, by reason.
    public var holds: [UploadHold: Sum] = [:]

    /// Creates counts of zero.
    public init() {}

    /// The sum for a state.
    public subscript(state: UploadJob.State) -> Sum { states[state] ?? Sum() }

    /// The number of jobs that are not delivered.
    public var undelivered: Int { states.reduce(0) { $0 + ($1.key == .delivered ? 0 : $1.value.jobs) } }

    /// The number of jobs that are queued, uploading or retrying.
    public var open: Int { self[.queued].jobs + self[.uploading].jobs + self[.retrying].jobs }
}

/// Sums over the queue, and its settings. The cost of the sums does not depend on the length of the queue.
extension LedgerStore {
    /// Returns the counts by destination. Omits destinations without jobs.
    public func uploadCounts() async throws -> [DestinationName: UploadCounts] {
        try await read { db in
            var counts: [DestinationName: UploadCounts] = [:]
            for row in try Row.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM upload_count WHERE jobs > 0"))
            {
                let bytes = UInt64(max(0, row["bytes"] as Int64))
                let jobs: Int = row["jobs"]
                let state = UploadJob.State(rawValue: row["state"]) ?? .failed
                counts[row["destination"], default: UploadCounts()].states[state, default: .init()]
                    .add(jobs, bytes)
                if let hold = UploadHold(rawValue: row["hold"]), state == .held {
                    counts[row["destination"], default: UploadCounts()].holds[hold, default: .init()]
                        .add(jobs, bytes)
                }
            }
            return counts
        }
    }

    /// Returns the destination's failed job with the highest number, or `nil` if no job failed.
    public func lastFailedUpload(destination: DestinationName) async throws -> UploadJob? {
        try await read { db in
            try UploadJob.fetch(
                db, where: "state = 'failed' AND destination = ? ORDER BY id DESC LIMIT 1", [destination]
            ).first
        }
    }

    /// Returns a setting of the queue that the user changed at run time, or `nil` if the setting is
    /// unchanged.
    public func uploadSetting(_ key: String) async throws -> String? {
        try await read { db in
            let value = try db.cachedStatement(sql: "SELECT value FROM upload_setting WHERE key = ?")
            return try String.fetchOne(value, arguments: [key])
        }
    }

    /// Saves a setting of the queue, or deletes the setting if the value is `nil`. A saved setting survives
    /// restarts.
    public func setUploadSetting(_ key: String, _ value: String?) async throws {
        try await write { db in
            if let value {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO upload_setting (key, value) VALUES (?, ?)",
                    arguments: [key, value])
            } else {
                try db.execute(sql: "DELETE FROM upload_setting WHERE key = ?", arguments: [key])
            }
        }
    }

    /// Sets the upload mode of a session.
    ///
    /// - Returns: Whether the session exists.
    public func setUploadMode(_ mode: UploadMode, session: SessionID) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: "UPDATE session SET upload_mode = ? WHERE id = ?", arguments: [mode.rawValue, session])
            return db.changesCount > 0
        }
    }

    /// Returns the sessions with this upload mode, in the order of their numbers.
    public func sessions(mode: UploadMode) async throws -> [SessionID] {
        try await read { db in
            let sessions = try db.cachedStatement(
                sql: "SELECT id FROM session WHERE upload_mode = ? ORDER BY id")
            return try SessionID.fetchAll(sessions, arguments: [mode.rawValue])
        }
    }
}

extension UploadCounts.Sum {
    fileprivate mutating func add(_ jobs: Int, _ bytes: UInt64) {
        self.jobs += jobs
        self.bytes += bytes
    }
}
