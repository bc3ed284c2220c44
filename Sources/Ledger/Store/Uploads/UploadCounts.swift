public import FrameFastModel
import GRDB

/// How many jobs a destination has in each state.
public struct UploadCounts: Hashable, Sendable {
    /// Jobs and their bytes.
    public struct Sum: Hashable, Sendable {
        /// How many.
        public var jobs = 0
        /// Bytes of their files.
        public var bytes: UInt64 = 0

        /// Nothing.
        public init() {}
    }

    /// By state.
    public var states: [UploadJob.State: Sum] = [:]
    /// Of the held ones, by reason.
    public var holds: [UploadHold: Sum] = [:]

    /// Nothing.
    public init() {}

    /// Jobs in a state.
    public subscript(state: UploadJob.State) -> Sum { states[state] ?? Sum() }

    /// Jobs that are not delivered.
    public var undelivered: Int { states.reduce(0) { $0 + ($1.key == .delivered ? 0 : $1.value.jobs) } }

    /// Jobs that are neither delivered, nor failed, nor held.
    public var open: Int { self[.queued].jobs + self[.uploading].jobs + self[.retrying].jobs }
}

/// Sums over the queue; they cost the same however long it is.
extension LedgerStore {
    /// By destination. A destination that never had a job is not in it.
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

    /// The trouble of a destination's job that failed last; `nil` when none has.
    public func lastFailedUpload(destination: DestinationName) async throws -> UploadJob? {
        try await read { db in
            try UploadJob.fetch(
                db, where: "state = 'failed' AND destination = ? ORDER BY id DESC LIMIT 1", [destination]
            ).first
        }
    }

    /// A setting of the queue that a person changed while it ran; `nil` when nobody did.
    public func uploadSetting(_ key: String) async throws -> String? {
        try await read { db in
            try String.fetchOne(db, sql: "SELECT value FROM upload_setting WHERE key = ?", arguments: [key])
        }
    }

    /// Keeps a setting of the queue over restarts; `nil` forgets it.
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

    /// Changes how a session's photos are uploaded.
    ///
    /// - Returns: whether there is such a session.
    public func setUploadMode(_ mode: UploadMode, session: SessionID) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: "UPDATE session SET upload_mode = ? WHERE id = ?", arguments: [mode.rawValue, session])
            return db.changesCount > 0
        }
    }

    /// Sessions that upload in this mode, by number.
    public func sessions(mode: UploadMode) async throws -> [SessionID] {
        try await read { db in
            try SessionID.fetchAll(
                db, sql: "SELECT id FROM session WHERE upload_mode = ? ORDER BY id",
                arguments: [mode.rawValue])
        }
    }
}

extension UploadCounts.Sum {
    fileprivate mutating func add(_ jobs: Int, _ bytes: UInt64) {
        self.jobs += jobs
        self.bytes += bytes
    }
}
