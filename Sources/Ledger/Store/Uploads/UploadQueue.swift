import Foundation
public import FrameFastModel
import GRDB

/// A filter for jobs.
public struct UploadFilter: Hashable, Sendable {
    /// The numbers of the jobs, or `nil` for all.
    public var ids: [JobID]?
    /// The destination, or `nil` for all.
    public var destination: DestinationName?
    /// The state, or `nil` for all.
    public var state: UploadJob.State?
    /// The session, or `nil` for all.
    public var session: SessionID?
    /// The camera's ID in the fleet, or `nil` for all.
    public var camera: CameraID?
    /// Whether the filter excludes jobs that are held as ``UploadHold/unsorted``.
    public private(set) var leavesUnsorted = false

    /// A copy of the filter that excludes jobs held as ``UploadHold/unsorted``, because their photos may
    /// belong to an earlier client. A filter by job numbers is returned unchanged, because the user has
    /// chosen each job.
    public var leavingUnsorted: UploadFilter {
        var filter = self
        filter.leavesUnsorted = ids == nil
        return filter
    }

    /// Creates a filter. Without arguments it matches every job.
    public init(
        ids: [JobID]? = nil, destination: DestinationName? = nil, state: UploadJob.State? = nil,
        session: SessionID? = nil,
        camera: CameraID? = nil
    ) {
        self.ids = ids
        self.destination = destination
        self.state = state
        self.session = session
        self.camera = camera
    }
}

/// Reading and changing the queue.
extension LedgerStore {
    /// The maximum number of jobs to change in one commit. A new photo must wait for the ledger during a
    /// commit, so commits must be short.
    static let uploadBatch = 500

    /// Returns one page of jobs, newest first.
    ///
    /// - Parameter before: The exclusive upper limit of job numbers, or `nil` to start at the newest job.
    public func uploads(_ filter: UploadFilter, before: JobID? = nil, limit: Int) async throws -> [UploadJob]
    {
        try await read { db in
            let (condition, arguments) = Self.page(filter, before: before, limit: limit)
            return try UploadJob.fetch(db, where: condition, arguments)
        }
    }

    /// Returns the SQL condition for the rows of a page.
    static func page(_ filter: UploadFilter, before: JobID?, limit: Int) -> (String, StatementArguments) {
        let (condition, arguments) = condition(
            filter, extra: before.map { ("id < :before", ["before": $0]) })
        return ("\(condition) ORDER BY id DESC LIMIT :limit", arguments + ["limit": limit])
    }

    /// Returns a job, or `nil` if the number is unknown.
    public func upload(id: JobID) async throws -> UploadJob? {
        try await read { db in try UploadJob.fetch(db, where: "id = ?", [id]).first }
    }

    /// Returns the jobs of a photo.
    public func uploads(capture id: CaptureID) async throws -> [UploadJob] {
        try await read { db in
            try UploadJob.fetch(db, where: "capture_id = ? ORDER BY destination", [id])
        }
    }

    /// Returns the number of jobs that ``UploadFilter/leavingUnsorted`` excludes from a filter.
    public func unsortedUploads(_ filter: UploadFilter) async throws -> Int {
        guard filter.ids == nil, filter.state == nil || filter.state == .held else { return 0 }
        return try await read { db in
            let all = UploadFilter(
                destination: filter.destination, state: .held, session: filter.session, camera: filter.camera)
            let (condition, arguments) = Self.condition(
                all, extra: ("hold = :hold", ["hold": UploadHold.unsorted.rawValue]))
            return try Int.fetchOne(
                db, sql: "SELECT count(*) FROM upload_job WHERE \(condition)", arguments: arguments) ?? 0
        }
    }

    /// Applies an event to all jobs that match a filter, in batches of ``uploadBatch`` per commit.
    ///
    /// - Parameters:
    ///   - onCommit: Called with the changes after each commit and before the next commit. Must return
    ///     quickly.
    ///   - onChange: Called after `onCommit`, before the next batch starts. Other commits may come first.
    /// - Returns: The number of jobs that changed.
    @discardableResult
    public func applyToUploads(
        _ event: UploadJob.Event, filter: UploadFilter,
        onCommit: @escaping @Sendable ([UploadChange]) -> Void = { _ in },
        onChange: @Sendable ([UploadChange]) async -> Void = { _ in }
    ) async throws -> Int {
        var after: JobID = 0
        var changed = 0
        while true {
            let start = after
            let (changes, last) = try await write { db -> ([UploadChange], JobID?) in
                let (condition, arguments) = Self.condition(filter, extra: ("id > :after", ["after": start]))
                let ids = try JobID.fetchAll(
                    db.cachedStatement(
                        sql: "SELECT id FROM upload_job WHERE \(condition) ORDER BY id LIMIT :limit"),
                    arguments: arguments + ["limit": Self.uploadBatch])
                let changes = try ids.compactMap { try UploadJob.apply(event, to: $0, db) }
                return (changes.filter { $0.action != .nothing }, ids.last)
            } onCommit: {
                onCommit($0.0)
            }
            changed += changes.count
            if !changes.isEmpty { await onChange(changes) }
            guard let last else { return changed }
            after = last
        }
    }

    /// Returns the number of jobs that ``applyToUploads(_:filter:onCommit:onChange:)`` would change, and
    /// changes nothing.
    public func countUploads(changedBy event: UploadJob.Event, filter: UploadFilter) async throws -> Int {
        try await read { db in
            let (condition, arguments) = Self.condition(filter, extra: nil)
            let statement = try db.cachedStatement(sql: "SELECT * FROM upload_job WHERE \(condition)")
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            var count = 0
            while let row = try rows.next() {
                var job = UploadJob(row: row)
                if job.handle(event) != .nothing { count += 1 }
            }
            return count
        }
    }

    /// Releases jobs that are held for a reason that no longer applies, in batches of ``uploadBatch`` per
    /// commit. A running job that would be held for this reason after a failed attempt loses this hold.
    ///
    /// - Parameters:
    ///   - session: The session, `.some(nil)` for photos without a session, or `nil` for all photos.
    /// - Returns: The captures of the released jobs.
    public func releaseHeld(_ hold: UploadHold, session: SessionID??, destination: DestinationName? = nil)
        async throws
        -> [CaptureID]
    {
        var released: [CaptureID] = []
        while true {
            let captures = try await write { db -> [CaptureID] in
                var condition = "hold = :hold"
                var arguments: StatementArguments = ["hold": hold.rawValue]
                if let session {
                    condition += " AND session_id IS :session"
                    arguments += ["session": session]
                }
                if let destination {
                    condition += " AND destination = :destination"
                    arguments += ["destination": destination]
                }
                try db.cachedStatement(
                    sql: "UPDATE upload_job SET hold = '' WHERE state = 'uploading' AND \(condition)"
                ).execute(arguments: arguments)
                return try CaptureID.fetchAll(
                    db.cachedStatement(
                        sql: """
                            UPDATE upload_job SET state = 'queued', hold = '' WHERE id IN
                                (SELECT id FROM upload_job WHERE state = 'held' AND \(condition) LIMIT :limit)
                            RETURNING capture_id
                            """), arguments: arguments + ["limit": Self.uploadBatch])
            }
            released += captures
            guard captures.count == Self.uploadBatch else { return released }
        }
    }

    /// Returns whether at least `count` jobs of a session to a destination are held for a reason.
    public func hasHeld(_ hold: UploadHold, session: SessionID?, destination: DestinationName, count: Int = 1)
        async throws
        -> Bool
    {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT count(*) FROM (SELECT 1 FROM upload_job WHERE state = 'held' AND hold = ?
                        AND session_id IS ? AND destination = ? LIMIT ?)
                    """)
            return try Int.fetchOne(
                statement, arguments: [hold.rawValue, session, destination, count]) ?? 0 >= count
        }
    }

    /// Returns whether at least one picture of a session is queued, uploading or retrying for a destination.
    public func hasOpenPictures(session: SessionID?, destination: DestinationName) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: openPicturesSQL), arguments: [destination, session]) ?? false
        }
    }

    static func condition(
        _ filter: UploadFilter, extra: (String, StatementArguments)?
    ) -> (String, StatementArguments) {
        var terms: [String] = []
        var arguments: StatementArguments = [:]
        func add(_ term: String, _ values: StatementArguments = [:]) {
            terms.append(term)
            arguments += values
        }
        if let ids = filter.ids {
            add("id IN (SELECT value FROM json_each(:ids))", ["ids": Self.list(of: ids)])
        }
        // SQLite does not know the length of the list, and would read all jobs of a state through an index.
        // The unary plus prevents the use of an index.
        let plus = filter.ids == nil ? "" : "+"
        if let destination = filter.destination {
            add("\(plus)destination = :destination", ["destination": destination])
        }
        if let state = filter.state {
            add("\(plus)state = :state", ["state": state == .verifying ? "uploading" : state.rawValue])
        }
        if let session = filter.session { add("\(plus)session_id = :session", ["session": session]) }
        if let camera = filter.camera {
            add(
                "\(plus)camera_id IN (\(Self.bodies))",
                ["camera": camera])
        }
        if filter.leavesUnsorted { add("hold <> :unsorted", ["unsorted": UploadHold.unsorted.rawValue]) }
        if let extra { add(extra.0, extra.1) }
        return (terms.isEmpty ? "1" : terms.joined(separator: " AND "), arguments)
    }

    /// Returns numbers as a JSON array, which a statement reads with `json_each`. If the SQL contained the
    /// numbers, each list would add a statement to GRDB's cache, which never removes statements.
    static func list(of ids: [some CustomStringConvertible]) -> String {
        "[" + ids.map(\.description).joined(separator: ",") + "]"
    }
}

/// The query for open pictures, which reads only the index `upload_job_pictures`.
let openPicturesSQL = """
    SELECT EXISTS (SELECT 1 FROM upload_job WHERE destination = ? AND session_id IS ? AND kind = 'picture'
        AND state IN ('queued', 'uploading', 'retrying'))
    """
