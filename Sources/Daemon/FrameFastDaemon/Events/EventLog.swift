import Foundation
import FrameFastModel
import Logging
import Synchronization

/// A log of conditions, uploads and saved photos. Conditions have the same sentences as in the status.
///
/// A delivered upload is logged at level `debug`. Saved photos are logged only as a number for each camera.
final class EventLog: Sendable {
    private let logger: Logger
    private let known = Mutex<[Condition.Key: Condition]>([:])

    init(logger: Logger) { self.logger = logger }

    /// Logs the conditions that are new or cleared, or whose severity or cause has changed.
    ///
    /// - Parameter name: Returns the name of a camera.
    func logConditions(_ conditions: [Condition], name: (CameraID) -> String) {
        let now = Dictionary(conditions.map { ($0.key, $0) }) { $1 }
        let before = known.withLock { known in
            defer { known = now }
            return known
        }
        for (key, condition) in now where Self.isLogged(condition, after: before[key]) {
            logger.log(
                level: Self.level(condition.severity), "\(condition.sentence) \(condition.nextStep)",
                metadata: Self.facts(condition, name))
        }
        for (key, condition) in before where now[key] == nil {
            logger.info("resolved: \(condition.sentence)", metadata: Self.facts(condition, name))
        }
    }

    /// The kinds whose sentence contains the cause. For these kinds, a changed sentence is logged. Sentences
    /// of other kinds contain counts, which change often.
    private static let causes: Set<ConditionKind> = [.destinationAway]

    private static func isLogged(_ condition: Condition, after before: Condition?) -> Bool {
        guard before?.severity == condition.severity else { return true }
        return causes.contains(condition.kind) && before?.sentence != condition.sentence
    }

    /// Logs a change of the computer's time zone.
    func logTimeZone(_ identifier: String) {
        logger.notice("the time zone of this computer changed", metadata: ["zone": "\(identifier)"])
    }

    /// Logs that the computer was asleep.
    func logSleep(seconds: Double) {
        logger.notice(
            "the computer slept: checking cameras and destinations again",
            metadata: ["seconds": "\(Int(seconds))"])
    }

    /// Logs an upload that was delivered or failed.
    func logUpload(_ job: UploadJob) {
        var facts: Logger.Metadata = [
            "job": "\(job.id)", "capture": "\(job.captureID)", "destination": "\(job.destination)",
        ]
        switch job.state {
        case .delivered:
            facts["bytes"] = "\(job.bytes)"
            if let begun = job.claimedAt, let ended = job.deliveredAt {
                facts["duration_ms"] = "\(Int(ended.timeIntervalSince(begun) * 1_000))"
            }
            logger.debug("delivered", metadata: facts)
        case .failed:
            facts["reason"] = "\(job.sentence ?? "")"
            logger.warning("an upload failed", metadata: facts)
        default: break
        }
    }

    /// Logs the number of saved photos, in one line for each camera.
    func logSavedPhotos(_ photos: [String: Int]) {
        for (camera, count) in photos.sorted(by: { $0.key < $1.key }) {
            logger.info(
                "\(count) \(count == 1 ? "photo" : "photos") saved",
                metadata: ["camera": "\(camera)", "count": "\(count)"])
        }
    }

    private static func level(_ severity: Condition.Severity) -> Logger.Level {
        switch severity {
        case .info: .notice
        case .warning: .warning
        case .danger: .error
        }
    }

    private static func facts(_ condition: Condition, _ name: (CameraID) -> String) -> Logger.Metadata {
        var facts: Logger.Metadata = ["condition": "\(condition.code)"]
        switch condition.subject {
        case .camera(let id): facts["camera"] = "\(name(id))"
        case .destination(let destination): facts["destination"] = "\(destination)"
        case .hook(let hook): facts["hook"] = "\(hook)"
        case .folder(let path): facts["path"] = "\(path)"
        case nil: break
        }
        return facts
    }
}
