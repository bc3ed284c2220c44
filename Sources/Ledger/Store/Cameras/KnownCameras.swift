public import Foundation
public import FrameFastModel
import GRDB

/// Cameras that were met.
extension LedgerStore {
    /// Remembers a camera that just connected.
    ///
    /// - Parameters:
    ///   - body: Who it is in the ledger; its status has its id in the fleet.
    ///   - zone: In which its clock runs; `nil` for this computer's.
    ///   - place: Where it is: the path of its USB port, or its address.
    ///   - isListed: Whether its card was read whole; once so, it stays so.
    public func remember(
        _ camera: CameraStatus, as body: BodyID, zone: TimeZone?, place: String, isListed: Bool,
        at now: Date
    ) async throws {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO camera
                        (id, fleet_id, name, maker, model, serial, port, zone, place, is_listed, first_seen_at,
                            last_seen_at)
                    VALUES (:id, :fleet, :name, :maker, :model, :serial, :port, :zone, :place, :listed, :now, :now)
                    ON CONFLICT (id) DO UPDATE SET fleet_id = :fleet, name = :name, maker = :maker, model = :model, serial = :serial,
                        port = :port, zone = :zone, place = :place, is_listed = max(is_listed, :listed), last_seen_at = :now
                    """,
                arguments: [
                    "id": body, "fleet": camera.id, "name": camera.name, "maker": camera.facts?.maker ?? "",
                    "model": camera.facts?.model ?? "", "serial": camera.facts?.serial ?? "",
                    "port": camera.port, "zone": zone?.identifier, "place": place, "listed": isListed,
                    "now": now.timeIntervalSince1970,
                ])
        }
    }

    /// Every camera that was ever met, the last one first, with who it is in the ledger.
    public func knownCameras() async throws -> [(body: BodyID, camera: PhotoCamera)] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM camera ORDER BY last_seen_at DESC").map { row in
                (row["id"], PhotoCamera(row: row))
            }
        }
    }

    /// Who is who among the cameras that were ever met.
    public func knownBodies() async throws -> CameraBodies {
        try await read { db in try Self.bodies(db) }
    }

    static func bodies(_ db: Database) throws -> CameraBodies {
        var bodies = CameraBodies()
        for row in try Row.fetchAll(db, sql: "SELECT * FROM camera") {
            bodies.learn(
                row["id"],
                CameraBodies.Newcomer(
                    maker: row["maker"], model: row["model"], serial: row["serial"], place: row["place"],
                    id: row["fleet_id"]))
        }
        return bodies
    }

    /// Whether a camera was met before, and its card read whole then.
    public func hasMet(camera: BodyID) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM camera WHERE id = ? AND is_listed = 1)",
                arguments: [camera]) ?? false
        }
    }
}

extension PhotoCamera {
    /// - Parameter prefix: Before the names of its columns, in a row that has others as well.
    init(row: Row, prefix: String = "") {
        self.init(
            id: row[prefix + "fleet_id"], name: row[prefix + "name"], maker: row[prefix + "maker"],
            model: row[prefix + "model"], serial: row[prefix + "serial"],
            zone: (row[prefix + "zone"] as String?).flatMap(TimeZone.init(identifier:)) ?? .current)
    }
}
