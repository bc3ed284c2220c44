import Foundation
public import FrameFastModel
import GRDB

/// Which jobs a person means, or wants to see.
public struct UploadFilter: Hashable, Sendable {
    /// Only these, by number.
    public var ids: [JobID]?
    /// Only to this destination.
    public var destination: DestinationName?
    /// Only in this state.
    public var state: UploadJob.State?
    /// Only of this session.
    public var session: SessionID?
    /// Only of this camera, by its id in the fleet.
    public var camera: CameraID?
    /// Whether jobs that ``UploadHold/unsorted`` holds are left out.
    public private(set) var leavesUnsorted = false

    /// The same filter without jobs that ``UploadHold/unsorted`` holds, unless it names jobs by number. These photos may be
    /// an earlier client's, so a person chooses each of them.
    public var leavingUnsorted: UploadFilter {
        var filter = self
        filter.leavesUnsorted = ids == nil
        return filter
    }

    /// Creates a filter; without arguments it takes every job.
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

/// Looking at the queue, and what people do to it.
extension LedgerStore {
    /// Jobs that change in one commit: a capture never waits longer than that for the ledger.
    static let uploadBatch = 500

    /// One page of jobs, newest first.
    ///
    /// - Parameter before: Only jobs with a smaller number; `nil` starts at the newest.
    public func uploads(_ filter: UploadFilter, before: JobID? = nil, limit: Int) async throws -> [UploadJob]
    {
        try await read { db in
            let (condition, arguments) = Self.page(filter, before: before, limit: limit)
            return try UploadJob.fetch(db, where: condition, arguments)
        }
    }

    /// Which rows are on a page.
    static func page(_ filter: UploadFilter, before: JobID?, limit: Int) -> (String, StatementArguments) {
        let (condition, arguments) = condition(
            filter, extra: before.map { ("id < :before", ["before": $0]) })
        return ("\(condition) ORDER BY id DESC LIMIT :limit", arguments + ["limit": limit])
    }

    /// One job; `nil` when there is none with this number.
    public func upload(id: JobID) async throws -> UploadJob? {
        try await read { db in try UploadJob.fetch(db, where: "id = ?", [id]).first }
    }

    /// The jobs of one photo.
    public func uploads(capture id: CaptureID) async throws -> [UploadJob] {
        try await read { db in
            try UploadJob.fetch(db, where: "capture_id = ? ORDER BY destination", [id])
        }
    }

    /// The number of jobs that ``UploadFilter/leavingUnsorted`` leaves out of a filter.
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

    /// Lets something happen to all jobs that a filter takes, some hundred a commit.
    ///
    /// - Parameter onChange: Told what changed after each commit.
    /// - Returns: how many jobs changed.
    @discardableResult
    public func applyToUploads(
        _ event: UploadJob.Event, filter: UploadFilter,
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
            }
            changed += changes.count
            if !changes.isEmpty { await onChange(changes) }
            guard let last else { return changed }
            after = last
        }
    }

    /// Lets jobs go whose reason to be held has passed, some hundred a commit. Those that run are not held later.
    ///
    /// - Parameters:
    ///   - session: Only of this session; `.some(nil)` for photos without one; `nil` for all.
    /// - Returns: the captures of those that were let go.
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

    /// Whether jobs of a session are held for a reason: at least `count` of them at one destination.
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

    /// Whether a picture of a session still has to reach a destination.
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
        if let ids = filter.ids { add("id IN (\(ids.map(\.description).joined(separator: ",")))") }
        if let destination = filter.destination {
            add("destination = :destination", ["destination": destination])
        }
        if let state = filter.state {
            add("state = :state", ["state": state == .verifying ? "uploading" : state.rawValue])
        }
        if let session = filter.session { add("session_id = :session", ["session": session]) }
        if let camera = filter.camera {
            add(
                "camera_id IN (\(Self.bodies))",
                ["camera": camera])
        }
        if filter.leavesUnsorted { add("hold <> :unsorted", ["unsorted": UploadHold.unsorted.rawValue]) }
        if let extra { add(extra.0, extra.1) }
        return (terms.isEmpty ? "1" : terms.joined(separator: " AND "), arguments)
    }
}

/// Whether pictures are open, answered from `upload_job_pictures` alone.
let openPicturesSQL = """
    SELECT EXISTS (SELECT 1 FROM upload_job WHERE destination = ? AND session_id IS ? AND kind = 'picture'
        AND state IN ('queued', 'uploading', 'retrying'))
    """
