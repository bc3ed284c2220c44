import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// The camera of one connection and the dependencies of the parts of an ``Intake``.
struct ConnectionContext: Sendable {
    let connection: CameraConnection
    /// The camera's identity in the ledger.
    let identity: BodyID
    /// Whether the saved photos of the identity are from this camera. If not, they may be from another camera
    /// with the same serial number.
    let isProven: Bool
    let shared: CaptureEngine.Shared
    private let photoLog = PhotoLog()

    var ledger: LedgerStore { shared.ledger }
    var logger: Logger { shared.logger }
    var clock: HostClock { shared.clock }

    /// The camera's name in conditions.
    var name: String { connection.configured.name }
    /// The camera's name in the log.
    var loggedName: String { shared.naming.camera(identity).name }

    /// Whether photos stay in the camera when the connection is lost, and cannot be listed later.
    var leavesPhotosBehind: Bool { connection.facts.leavesPhotosBehind }

    /// Logs, counts and reports a saved photo.
    func reportSaved(_ record: CaptureRecord) {
        let took = record.savedAt.map { Int($0.timeIntervalSince(record.detectedAt) * 1_000) } ?? 0
        logger.debug(
            "saved",
            metadata: [
                "camera": "\(loggedName)", "capture": "\(record.id)", "path": "\(record.path ?? "")",
                "bytes": "\(record.bytes ?? 0)", "duration_ms": "\(took)",
            ])
        shared.saveStatistics.add(record, cameraName: loggedName)
        shared.onCapture(record)
    }

    /// Logs an event of one photo, within the limits of ``PhotoLog``.
    func log(
        _ words: String, _ level: Logger.Level = .notice, of record: CaptureRecord,
        _ metadata: Logger.Metadata = [:]
    ) {
        let usual: Logger.Metadata = ["camera": "\(loggedName)", "name": "\(record.object.name)"]
        photoLog.write(words, level, to: logger, usual.merging(metadata) { $1 })
    }

    /// Writes the number of photos that stayed in the camera to a file. The service reads this file at its
    /// next start.
    func saveLeft(_ left: LeftInCamera?) {
        do { try shared.leftInCameras.save(left, in: identity, at: clock.now()) } catch {
            logger.error(
                "cannot record the photos that stayed in a camera", metadata: ["error": "\(error)"])
        }
    }

    /// Raises a condition of this camera.
    func raise(_ kind: ConditionKind, sentence: String, nextStep: String) {
        shared.conditionBoard.raise(
            kind, subject: .camera(connection.camera), sentence: sentence, nextStep: nextStep)
    }

    /// Clears a condition of this camera.
    func clear(_ kind: ConditionKind) {
        shared.conditionBoard.clear(kind, subject: .camera(connection.camera))
    }
}
