public import FrameFastModel
import GRDB

/// Which captures a reader wants, newest shot first.
public struct CaptureQuery: Hashable, Sendable {
    /// Only shots with a smaller number; `nil` starts at the newest.
    public var before: ShotID?
    /// Most shots in the answer: a shot has one file, or two.
    public var limit: Int
    /// Only this camera's, by its id in the fleet.
    public var camera: CameraID?
    /// Only this session's.
    public var session: SessionID?
    /// Only in this state.
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

/// Where captures stand, by what the ledger has of them and of their uploads.
extension LedgerStore {
    /// One page of captures, newest shot first, the files of a shot side by side.
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

    /// The numbers of a page's shots, from the index of shots: SQLite would sort all of them otherwise.
    static func pageSQL(_ state: CaptureState?) -> String {
        """
        SELECT DISTINCT \(Schema.shot) AS shot FROM capture INDEXED BY capture_shot
        WHERE \(Schema.isCapture) AND (:before IS NULL OR \(Schema.shot) < :before)
        AND (:camera IS NULL OR camera_id IN (\(bodies))) AND (:session IS NULL OR session_id = :session)
        \(state.map { "AND " + condition($0) } ?? "")
        ORDER BY shot DESC LIMIT :limit
        """
    }

    /// A capture and the others of its shot; empty when there is none with this number.
    public func shot(of id: CaptureID) async throws -> [CaptureStatus] {
        try await read { db in
            let shot = try db.cachedStatement(
                sql: "SELECT \(Schema.shot) FROM capture WHERE id = ? AND \(Schema.isCapture)")
            return try Self.statuses(db, ofShots: ShotID.fetchAll(shot, arguments: [id]))
        }
    }

    /// The bodies that a camera's id in the fleet means.
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

    /// What ``upload`` gives, and the state that it stands for.
    private static let ranks: [Int: UploadJob.State] = Dictionary(
        uniqueKeysWithValues: UploadJob.State.worstFirst.enumerated().map { ($0, $1) })
    /// What it gives where a capture has no uploads.
    private static let noUpload = -1

    /// How far a capture's uploads are, as the first of ``UploadJob/State/worstFirst`` among them, by its place there.
    private static let upload: String = {
        let cases = UploadJob.State.worstFirst.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }
        return """
            coalesce((SELECT min(CASE upload_job.state \(cases.joined(separator: " ")) ELSE 0 END)
                FROM upload_job WHERE capture_id = capture.id), \(noUpload))
            """
    }()

    /// Whether a capture is in a state: everything that gives it, by the one rule of ``CaptureState``.
    private static func condition(_ state: CaptureState) -> String {
        let given = CaptureRecord.State.allCases.flatMap { record in
            [false, true].flatMap { isCleared in
                ([noUpload] + ranks.keys.sorted()).filter { upload in
                    CaptureState(record, isCleared: isCleared, upload: ranks[upload]) == state
                }.map {
                    (record: record.rawValue, values: "('\(record.rawValue)', \(isCleared ? 1 : 0), \($0))")
                }
            }
        }
        let records = Set(given.map { "'\($0.record)'" }).sorted().joined(separator: ", ")
        let values = given.map(\.values).joined(separator: ", ")
        return "state IN (\(records)) AND (state, cleared_at IS NOT NULL, \(upload)) IN (VALUES \(values))"
    }
}
