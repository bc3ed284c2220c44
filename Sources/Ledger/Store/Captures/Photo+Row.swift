import Foundation
import FrameFastModel
import GRDB

/// Decoding of ``Photo`` from rows of `capture` joined with its camera and its session.
extension Photo {
    /// Returns the query that joins the three tables.
    ///
    /// - Parameter index: An `INDEXED BY` clause for `capture`, if SQLite would otherwise choose a slower
    ///   index.
    static func sql(index: String = "", where condition: String) -> String {
        """
        SELECT capture.*, camera.fleet_id AS camera_fleet_id, camera.name AS camera_name,
            camera.maker AS camera_maker, camera.model AS camera_model, camera.serial AS camera_serial,
            camera.zone AS camera_zone, session.name AS session_name, session.upload_mode
        FROM capture \(index) LEFT JOIN camera ON camera.id = capture.camera_id
        LEFT JOIN session ON session.id = capture.session_id WHERE \(condition)
        """
    }

    init(row: Row) {
        let record = CaptureRecord(row: row)
        let isKnown = (row["camera_fleet_id"] as CameraID?) != nil
        let sessionName: String? = row["session_name"]
        self.init(
            record,
            camera: isKnown ? PhotoCamera(row: row, prefix: "camera_") : PhotoCamera(unknown: record.bodyID),
            session: record.sessionID.flatMap { id in sessionName.map { PhotoSession(id: id, name: $0) } })
    }
}
