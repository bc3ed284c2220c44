public import Foundation
public import FrameFastModel
import GRDB

/// Cameras that have connected at least once.
extension LedgerStore {
    /// Records a camera that has just connected.
    ///
    /// - Parameters:
    ///   - body: The camera's identity in the ledger. It is independent of `camera.id`, the camera's ID in
    ///     the fleet.
    ///   - zone: The time zone of the camera's clock, or `nil` for the computer's time zone.
    ///   - place: The path of the camera's USB port, or the camera's network address.
    ///   - isListed: Whether the camera's card was listed completely. The stored flag is never reset.
    public func recordCamera(
        _ camera: CameraStatus, as body: BodyID, zone: TimeZone?, place: String, isListed: Bool,
        at now: Date
    ) async throws {
        try await write { db in
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO camera
                        (id, fleet_id, name, maker, model, serial, port, zone, place, is_listed, first_seen_at,
                            last_seen_at)
                    VALUES (:id, :fleet, :name, :maker, :model, :serial, :port, :zone, :place, :listed, :now, :now)
                    ON CONFLICT (id) DO UPDATE SET fleet_id = :fleet, name = :name, maker = :maker, model = :model, serial = :serial,
                        port = :port, zone = :zone, place = :place, is_listed = max(is_listed, :listed), last_seen_at = :now
                    """)
            let arguments: StatementArguments = [
                "id": body, "fleet": camera.id, "name": camera.name, "maker": camera.facts?.maker ?? "",
                "model": camera.facts?.model ?? "", "serial": camera.facts?.serial ?? "",
                "port": camera.port, "zone": zone?.identifier, "place": place, "listed": isListed,
                "now": now.timeIntervalSince1970,
            ]
            try insert.execute(arguments: arguments)
        }
    }

    /// Returns all recorded cameras with their identities, the most recently connected camera first.
    public func knownCameras() async throws -> [(body: BodyID, camera: PhotoCamera)] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM camera ORDER BY last_seen_at DESC").map { row in
                (row["id"], PhotoCamera(row: row))
            }
        }
    }

    /// Returns the identities of all recorded cameras.
    public func knownBodies() async throws -> CameraBodies {
        try await read { db in try Self.bodies(db) }
    }

    static func bodies(_ db: Database) throws -> CameraBodies {
        var bodies = CameraBodies()
        for row in try Row.fetchAll(db.cachedStatement(sql: "SELECT * FROM camera")) {
            bodies.addKnownBody(
                row["id"],
                CameraBodies.ConnectingCamera(
                    maker: row["maker"], model: row["model"], serial: row["serial"], place: row["place"],
                    id: row["fleet_id"]))
        }
        return bodies
    }

    /// Returns whether a camera's card was listed completely in the current or an earlier connection.
    public func hasListed(camera: BodyID) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM camera WHERE id = ? AND is_listed = 1)",
                arguments: [camera]) ?? false
        }
    }
}

extension PhotoCamera {
    /// - Parameter prefix: The prefix of the column names, for a row of a join.
    init(row: Row, prefix: String = "") {
        self.init(
            id: row[prefix + "fleet_id"], name: row[prefix + "name"], maker: row[prefix + "maker"],
            model: row[prefix + "model"], serial: row[prefix + "serial"],
            zone: (row[prefix + "zone"] as String?).flatMap(TimeZone.init(identifier:)) ?? .current)
    }
}
