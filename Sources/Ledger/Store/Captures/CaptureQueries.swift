public import Foundation
public import FrameFastModel
import GRDB

/// Sums over the ledger.
public struct CaptureTotals: Hashable, Sendable {
    /// Captures on disk.
    public var saved = 0
    /// Of these, saved since the start of the day.
    public var today = 0
    /// Shots on disk: a RAW and its JPEG are one.
    public var shots = 0
    /// Of these, saved since the start of the day.
    public var shotsToday = 0
    /// Of these, saved in the last minute.
    public var shotsLastMinute = 0
    /// Bytes on disk.
    public var bytes: UInt64 = 0
    /// Known and not on disk yet.
    public var waiting = 0
    /// Given up until a person decides.
    public var setAside = 0
    /// On disk, and still to be read a second time.
    public var awaitingReread = 0

    /// Nothing yet.
    public init() {}
}

extension LedgerStore {
    /// One capture; `nil` when there is none with this number.
    public func capture(id: CaptureID) async throws -> CaptureRecord? {
        try await read { db in try CaptureRecord.fetch(db, where: "id = ?", [id]).first }
    }

    /// The number of the capture that was heard of last; 0 before the first.
    public func lastNumber() async throws -> CaptureID {
        try await read { db in try CaptureID.fetchOne(db, sql: "SELECT max(id) FROM capture") ?? 0 }
    }

    /// Captures by their numbers; those that are not there are left out. One look for a whole page.
    public func captures(ids: Set<CaptureID>) async throws -> [CaptureID: CaptureRecord] {
        try await read { db in
            try ids.reduce(into: [:]) { found, id in
                found[id] = try CaptureRecord.fetch(db, where: "id = ?", [id]).first
            }
        }
    }

    /// The last photo that reached the disk from each of these cameras, by their ids in the fleet; those without one are
    /// left out.
    public func lastSaved(cameras: [CameraID]) async throws -> [CameraID: CaptureRecord] {
        try await read { db in
            try cameras.reduce(into: [:]) { found, camera in
                found[camera] = try CaptureRecord.fetch(
                    db,
                    where: """
                        camera_id IN (\(Self.bodies)) AND state = 'saved' ORDER BY id DESC LIMIT 1
                        """, ["camera": camera]
                ).first
            }
        }
    }

    /// When the last photo reached the disk, by the clock of then; `nil` for none.
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

    /// Photos that are known and not on disk yet, by the id in the fleet of their camera; those without one are left out.
    /// One look for all cameras: it costs by the photos that wait.
    public func waiting() async throws -> [CameraID: Int] {
        try await read { db in
            try Row.fetchAll(db.cachedStatement(sql: Self.waitingSQL)).reduce(into: [:]) {
                $0[$1["camera"]] = $1["photos"]
            }
        }
    }

    /// SQLite would take the index of states by itself, and look at every photo on disk.
    static let savedSinceSQL = """
        SELECT count(*) FROM capture INDEXED BY capture_saved
        WHERE saved_at >= ? AND state = 'saved' AND is_photo = 1 AND \(Schema.shot) = id
        """

    static let awaitingRereadSQL = """
        SELECT count(*) FROM capture INDEXED BY capture_awaiting
        WHERE verified = 'awaiting_reread' AND state = 'saved'
        """

    /// Sums for the status; they cost the same however many photos there are.
    ///
    /// - Parameter startOfDay: A quarter of an hour by the clock, as the beginning of a day is everywhere.
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
