public import Foundation
public import FrameFastModel
import GRDB

/// The totals of captures for the status.
public struct CaptureTotals: Hashable, Sendable {
    /// The number of captures on the disk.
    public var saved = 0
    /// The number of captures on the disk that were saved today.
    public var today = 0
    /// The number of shots on the disk. A RAW file and its JPEG are one shot.
    public var shots = 0
    /// The number of shots that were saved today.
    public var shotsToday = 0
    /// The number of shots that were saved in the last minute.
    public var shotsLastMinute = 0
    /// The size of all captures on the disk, in bytes.
    public var bytes: UInt64 = 0
    /// The number of captures that are not on the disk yet.
    public var waiting = 0
    /// The number of captures that are set aside, because they are unreadable or damaged.
    public var setAside = 0
    /// The number of captures on the disk that wait for their second read.
    public var awaitingReread = 0

    /// Creates totals of zero.
    public init() {}
}

extension LedgerStore {
    /// Returns a capture, or `nil` if the number is unknown.
    public func capture(id: CaptureID) async throws -> CaptureRecord? {
        try await read { db in try CaptureRecord.fetch(db, where: "id = ?", [id]).first }
    }

    /// Returns the highest capture number, or 0 if there are no captures.
    public func lastNumber() async throws -> CaptureID {
        try await read { db in
            try CaptureID.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM capture")) ?? 0
        }
    }

    /// Returns captures as a dictionary by number, in one read transaction. Omits unknown numbers.
    public func captures(ids: Set<CaptureID>) async throws -> [CaptureID: CaptureRecord] {
        try await read { db in
            try ids.reduce(into: [:]) { result, id in
                result[id] = try CaptureRecord.fetch(db, where: "id = ?", [id]).first
            }
        }
    }

    /// Returns the last saved photo of each camera, by the camera's ID in the fleet. Omits cameras without a
    /// saved photo.
    public func lastSaved(cameras: [CameraID]) async throws -> [CameraID: CaptureRecord] {
        try await read { db in
            try cameras.reduce(into: [:]) { result, camera in
                result[camera] = try CaptureRecord.fetch(
                    db,
                    where: """
                        camera_id IN (\(Self.bodies)) AND state = 'saved' ORDER BY id DESC LIMIT 1
                        """, ["camera": camera]
                ).first
            }
        }
    }

    /// Returns the time at which the newest photo was saved, or `nil` if no photo was saved. The time is from
    /// the computer's clock.
    public func newestSavedAt() async throws -> Date? {
        try await read { db in
            try CaptureRecord.fetch(db, where: "state = 'saved' ORDER BY id DESC LIMIT 1", [:]).first?.savedAt
        }
    }

    static let waitingSQL = """
        SELECT camera.fleet_id AS camera, count(*) AS photos
        FROM capture INDEXED BY capture_open JOIN camera ON camera.id = capture.camera_id
        WHERE capture.state IN ('seen', 'publishing') GROUP BY camera.fleet_id
        """

    /// Returns the number of photos that are not on the disk yet, by the camera's ID in the fleet. Omits
    /// cameras without such photos. The cost depends only on the number of these photos.
    public func pendingCounts() async throws -> [CameraID: Int] {
        try await read { db in
            try Row.fetchAll(db.cachedStatement(sql: Self.waitingSQL)).reduce(into: [:]) {
                $0[$1["camera"]] = $1["photos"]
            }
        }
    }

    /// The query that counts recently saved shots. Without `INDEXED BY`, SQLite would use the index of states
    /// and scan all saved photos.
    static let savedSinceSQL = """
        SELECT count(*) FROM capture INDEXED BY capture_saved
        WHERE saved_at >= ? AND state = 'saved' AND is_photo = 1 AND \(Schema.shot) = id
        """

    static let awaitingRereadSQL = """
        SELECT count(*) FROM capture INDEXED BY capture_awaiting
        WHERE verified = 'awaiting_reread' AND state = 'saved'
        """

    /// Returns the totals for the status. The cost does not depend on the number of photos.
    ///
    /// - Parameter startOfDay: The start of the day, a multiple of 15 minutes. In every time zone, days start
    ///   at such a time.
    public func totals(startOfDay: Date, now: Date) async throws -> CaptureTotals {
        try await read { db in
            var totals = CaptureTotals()
            for row in try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT state, sum(photos) AS photos, sum(bytes) AS bytes, sum(shots) AS shots
                        FROM capture_count GROUP BY state
                        """))
            {
                let count: Int = row["photos"]
                switch CaptureRecord.State(rawValue: row["state"]) {
                case .saved:
                    totals.saved = count
                    totals.shots = row["shots"]
                    totals.bytes = UInt64(bitPattern: row["bytes"] as Int64)
                case .seen, .publishing: totals.waiting += count
                case .setAside: totals.setAside = count
                case .skipped, .duplicate, nil: break
                }
            }
            let today = try db.cachedStatement(
                sql: """
                    SELECT coalesce(sum(photos), 0) AS photos, coalesce(sum(shots), 0) AS shots
                    FROM capture_quarter WHERE quarter >= ?
                    """)
            let firstQuarter = Int(startOfDay.timeIntervalSince1970) / Schema.quarterSeconds
            if let row = try Row.fetchOne(today, arguments: [firstQuarter]) {
                totals.today = row["photos"]
                totals.shotsToday = row["shots"]
            }
            let lastMinute = try db.cachedStatement(sql: Self.savedSinceSQL)
            totals.shotsLastMinute =
                try Int.fetchOne(
                    lastMinute, arguments: [now.addingTimeInterval(-60).timeIntervalSince1970]) ?? 0
            let awaiting = try db.cachedStatement(sql: Self.awaitingRereadSQL)
            totals.awaitingReread = try Int.fetchOne(awaiting) ?? 0
            return totals
        }
    }
}
