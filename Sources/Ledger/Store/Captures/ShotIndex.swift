import Foundation
public import FrameFastModel
import GRDB

/// A query for the index of shots, newest shot first.
public struct ShotIndexQuery: Hashable, Sendable {
    /// The exclusive upper limit of shot numbers, or `nil` to start at the newest shot.
    public var before: ShotID?
    /// The maximum number of shots in the result.
    public var limit: Int
    /// The session, or `nil` for all sessions. Files of other sessions are omitted.
    public var session: SessionID?

    /// Creates a query.
    public init(before: ShotID? = nil, limit: Int, session: SessionID? = nil) {
        self.before = before
        self.limit = limit
        self.session = session
    }
}

/// The index of shots for contact sheets.
extension LedgerStore {
    /// Returns one page of shots with at least one saved or set-aside photo, newest first. One page takes
    /// three statements, regardless of the number of its shots.
    public func shotIndex(_ query: ShotIndexQuery) async throws -> [ShotOverview] {
        try await read { db in
            let shots = try ShotID.fetchAll(
                db.cachedStatement(sql: Self.shotPageSQL),
                arguments: ["before": query.before, "session": query.session, "limit": query.limit])
            guard let newest = shots.first, let oldest = shots.last else { return [] }
            return try Self.overviews(
                db, numbers: oldest...newest, session: query.session, shots: Set(shots))
        }
    }

    /// Returns a shot, or `nil` if the shot does not exist or has no saved or set-aside file.
    ///
    /// - Parameters:
    ///   - shot: The number of the shot, or of one of its files.
    ///   - session: The session, or `nil` for all sessions. Files of other sessions are omitted.
    public func shotOverview(of shot: ShotID, session: SessionID? = nil) async throws -> ShotOverview? {
        try await read { db in
            guard let number = try Self.currentNumber(of: shot, db) else { return nil }
            return try Self.overviews(db, numbers: number...number, session: session, shots: [number]).first
        }
    }

    /// The query for the shot numbers of a page. The query uses the index of shots. Without this index,
    /// SQLite would sort all shots.
    static let shotPageSQL = """
        SELECT DISTINCT \(Schema.shot) AS shot FROM capture INDEXED BY capture_shot
        WHERE \(Schema.isCapture) AND \(Schema.shot) < coalesce(:before, \(Int64.max))
        AND (:session IS NULL OR session_id = :session) AND state IN ('saved', 'set_aside') AND is_photo = 1
        ORDER BY shot DESC LIMIT :limit
        """

    /// The query for the files of a range of shots, newest shot first.
    static let shotFilesSQL = """
        SELECT file.*, preview.state AS preview_state, preview.width, preview.height, preview.mean_color,
            preview.fails,
            (SELECT min(state = 'delivered') FROM upload_job WHERE capture_id = file.id) AND NOT EXISTS (
                SELECT 1 FROM upload_unrated WHERE capture_id = file.id) AS is_delivered
        FROM (
            SELECT id, \(Schema.shot) AS shot, camera_id, session_id, name, state, size, path, bytes, sha256,
                rating, camera_time, zone, detected_at, cleared_at
            FROM capture INDEXED BY capture_shot
            WHERE \(Schema.isCapture) AND \(Schema.shot) BETWEEN :oldest AND :newest
                AND state IN ('saved', 'set_aside') AND (:session IS NULL OR session_id = :session)
        ) AS file LEFT JOIN preview ON preview.sha256 = file.sha256
        ORDER BY file.shot DESC, file.id
        """

    private static func overviews(
        _ db: Database, numbers: ClosedRange<ShotID>, session: SessionID?, shots: Set<ShotID>
    ) throws -> [ShotOverview] {
        let statement = try db.cachedStatement(sql: shotFilesSQL)
        let rows = try Row.fetchCursor(
            statement,
            arguments: ["oldest": numbers.lowerBound, "newest": numbers.upperBound, "session": session])
        var overviews: [ShotOverview] = []
        var zones: [String: TimeZone] = [:]
        while let row = try rows.next() {
            let shot: ShotID = row["shot"]
            guard shots.contains(shot) else { continue }
            if overviews.last?.id != shot {
                var zone: TimeZone?
                if let name = row["zone"] as String? {
                    // Creating a time zone costs more than reading the row.
                    zone = zones[name] ?? TimeZone(identifier: name)
                    zones[name] = zone
                }
                overviews.append(ShotOverview(shot, row: row, zone: zone))
            }
            overviews[overviews.count - 1].files.append(ShotOverview.File(row: row))
        }
        try addOpinions(to: &overviews, db)
        return overviews
    }

    private static func addOpinions(to overviews: inout [ShotOverview], _ db: Database) throws {
        // The keys are plain numbers, because an opinion has the number of a shot or of a file.
        var indexes: [Int64: Int] = [:]
        for (index, overview) in overviews.enumerated() {
            indexes[overview.id.rawValue] = index
            for file in overview.files { indexes[file.id.rawValue] = index }
        }
        guard let first = indexes.keys.min(), let last = indexes.keys.max() else { return }
        let statement = try db.cachedStatement(
            sql: "SELECT * FROM opinion WHERE capture_id BETWEEN ? AND ?")
        let rows = try Row.fetchCursor(statement, arguments: [first, last])
        var found: [Int: [Opinion]] = [:]
        while let row = try rows.next() {
            let id: Int64 = row["capture_id"]
            guard let index = indexes[id] else { continue }
            found[index, default: []].append(Opinion(row: row))
        }
        for (index, opinions) in found { overviews[index].opinions = Opinion.newest(of: opinions) }
    }
}

extension ShotOverview {
    fileprivate init(_ shot: ShotID, row: Row, zone: TimeZone?) {
        let object = CameraObject(folder: "", name: row["name"], size: 0, cameraTime: row["camera_time"])
        self.init(
            id: shot, bodyID: row["camera_id"], session: row["session_id"], cameraTime: object.plausibleTime,
            zone: zone, detectedAt: Date(timeIntervalSince1970: row["detected_at"]), files: [])
    }
}

extension ShotOverview.File {
    fileprivate init(row: Row) {
        let size: Int64 = (row["bytes"] as Int64?) ?? row["size"]
        let isSaved = (row["state"] as String) == CaptureRecord.State.saved.rawValue
        let path: String? = row["path"]
        let sha256: String? = row["sha256"]
        self.init(
            id: row["id"], name: row["name"], state: isSaved ? .saved : .setAside,
            size: UInt64(bitPattern: size), path: isSaved ? path : nil, sha256: isSaved ? sha256 : nil,
            rating: row["rating"], isCleared: (row["cleared_at"] as Double?) != nil,
            isDelivered: row["is_delivered"],
            preview: sha256.flatMap { PreviewRecord(row: row, stateColumn: "preview_state", sha256: $0) })
    }
}
