public import FrameFastModel
import GRDB

/// A query for captures, newest shot first.
public struct CaptureQuery: Hashable, Sendable {
    /// The exclusive upper limit of shot numbers, or `nil` to start at the newest shot.
    public var before: ShotID?
    /// The maximum number of shots in the result. A shot has one or more files.
    public var limit: Int
    /// The camera's ID in the fleet, or `nil` for all cameras.
    public var camera: CameraID?
    /// The session, or `nil` for all sessions.
    public var session: SessionID?
    /// The state, or `nil` for all states.
    public var state: CaptureState?

    /// Creates a query.
    public init(
        before: ShotID? = nil, limit: Int, camera: CameraID? = nil, session: SessionID? = nil,
        state: CaptureState? = nil
    ) {
        self.before = before
        self.limit = limit
        self.camera = camera
        self.session = session
        self.state = state
    }
}

/// The states of captures, derived from their records and their uploads.
extension LedgerStore {
    /// Returns one page of captures, newest shot first. The files of a shot are adjacent.
    public func captures(_ query: CaptureQuery) async throws -> [CaptureStatus] {
        try await read { db in
            let shots = try ShotID.fetchAll(
                db.cachedStatement(sql: Self.pageSQL(query.state)),
                arguments: [
                    "before": query.before, "camera": query.camera, "session": query.session,
                    "limit": query.limit,
                ])
            return try Self.statuses(db, ofShots: shots).filter {
                query.state == nil || $0.state == query.state
            }
        }
    }

    /// Returns the query for the shot numbers of a page. The query uses the index of shots. Without this
    /// index, SQLite would sort all shots.
    static func pageSQL(_ state: CaptureState?) -> String {
        """
        SELECT DISTINCT \(Schema.shot) AS shot FROM capture INDEXED BY capture_shot
        WHERE \(Schema.isCapture) AND (:before IS NULL OR \(Schema.shot) < :before)
        AND (:camera IS NULL OR camera_id IN (\(bodies))) AND (:session IS NULL OR session_id = :session)
        \(state.map { "AND " + condition($0) } ?? "")
        ORDER BY shot DESC LIMIT :limit
        """
    }

    /// Returns a capture and the other captures of its shot, or an empty array if the number is unknown.
    public func shot(of id: CaptureID) async throws -> [CaptureStatus] {
        try await read { db in
            let shot = try db.cachedStatement(
                sql: "SELECT \(Schema.shot) FROM capture WHERE id = ? AND \(Schema.isCapture)")
            return try Self.statuses(db, ofShots: ShotID.fetchAll(shot, arguments: [id]))
        }
    }

    /// The query for the bodies that belong to a camera's ID in the fleet.
    static let bodies = "SELECT id FROM camera WHERE fleet_id = :camera"

    private static func statuses(_ db: Database, ofShots shots: [ShotID]) throws -> [CaptureStatus] {
        let files = try db.cachedStatement(
            sql: """
                SELECT *, \(upload) AS upload FROM capture INDEXED BY capture_shot
                WHERE \(Schema.isCapture) AND \(Schema.shot) = ? ORDER BY id
                """)
        return try shots.flatMap { shot in
            let captures = try Array(
                Row.fetchCursor(files, arguments: [shot]).map { row -> (CaptureRecord, CaptureState?) in
                    let record = CaptureRecord(row: row)
                    return (record, Self.state(record, upload: row["upload"]))
                })
            let shotState = CaptureState.shot(of: captures.compactMap { $0.1 })
            return captures.compactMap { record, state in
                state.map { CaptureStatus(record, state: $0, shotState: shotState ?? $0) }
            }
        }
    }

    private static func state(_ record: CaptureRecord, upload: Int) -> CaptureState? {
        CaptureState(record.state, isCleared: record.clearedAt != nil, upload: ranks[upload])
    }

    /// The upload state for each value of ``upload``.
    private static let ranks: [Int: UploadJob.State] = Dictionary(
        uniqueKeysWithValues: UploadJob.State.worstFirst.enumerated().map { ($0, $1) })
    /// The value of ``upload`` for a capture without uploads.
    private static let noUpload = -1

    /// The SQL expression for the state of a capture's uploads: the index of their worst state in
    /// ``UploadJob/State/worstFirst``.
    private static let upload: String = {
        let cases = UploadJob.State.worstFirst.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }
        return """
            coalesce((SELECT min(CASE upload_job.state \(cases.joined(separator: " ")) ELSE 0 END)
                FROM upload_job WHERE capture_id = capture.id), \(noUpload))
            """
    }()

    /// Returns the SQL condition for a state. The condition lists all combinations of values that
    /// ``CaptureState`` maps to this state.
    private static func condition(_ state: CaptureState) -> String {
        let combinations = CaptureRecord.State.allCases.flatMap { record in
            [false, true].flatMap { isCleared in
                ([noUpload] + ranks.keys.sorted()).filter { upload in
                    CaptureState(record, isCleared: isCleared, upload: ranks[upload]) == state
                }.map {
                    (record: record.rawValue, values: "('\(record.rawValue)', \(isCleared ? 1 : 0), \($0))")
                }
            }
        }
        let records = Set(combinations.map { "'\($0.record)'" }).sorted().joined(separator: ", ")
        let values = combinations.map(\.values).joined(separator: ", ")
        return "state IN (\(records)) AND (state, cleared_at IS NOT NULL, \(upload)) IN (VALUES \(values))"
    }
}
