import CaptureEngine
import ChildProcesses
import Foundation
import FrameFastConfiguration
import FrameFastModel
import Hooks
import Logging
import SettingKeys
import Store

/// What programs that are run are told of things: names and values, `FILE`, `CAMERA`.
struct HookFacts: Sendable {
    let naming: CaptureNaming
    let ledger: LedgerStore
    /// The capture directory.
    let directory: String
    let logger: Logger

    /// Of a saved photo.
    func of(_ record: CaptureRecord) -> [String: String] {
        let path = record.path ?? ""
        let isBelow = path.hasPrefix(directory + "/")
        var facts = [
            "CAPTURE": record.id.description, "FILE": path,
            "NAME": isBelow ? String(path.dropFirst(directory.count + 1)) : record.object.name,
            "ORIGINAL": record.object.name, "BYTES": String(record.bytes ?? record.object.size),
            "SHA256": record.sha256 ?? "", "KIND": MediaKind(fileName: record.object.name).rawValue,
            "CAMERA": naming.cameraName(record.bodyID),
            "CAPTURED_AT": naming.takenAt(record).formatted(.iso8601),
        ]
        facts["SESSION"] = naming.sessionName(record.sessionID)
        return facts
    }

    /// What rules look at in a saved photo.
    func photo(_ record: CaptureRecord) -> PhotoFacts {
        PhotoFacts(
            name: record.object.name, kind: MediaKind(fileName: record.object.name),
            camera: naming.cameraName(record.bodyID), session: naming.sessionName(record.sessionID),
            bytes: record.bytes ?? record.object.size)
    }

    /// Of an upload; its photo is looked up later.
    func of(_ job: UploadJob) -> [String: String] {
        var facts = [
            "CAPTURE": job.captureID.description, "JOB": job.id.description,
            "DESTINATION": job.destination.rawValue,
            "NAME": job.delivery?.remoteName ?? job.remoteName, "CAMERA": naming.cameraName(job.bodyID),
        ]
        facts["SESSION"] = naming.sessionName(job.sessionID)
        facts["EVIDENCE"] = job.delivery?.evidence
        facts["SENTENCE"] = job.sentence
        facts["NEXT_STEP"] = job.nextStep
        return facts
    }

    /// Of a camera.
    func of(_ status: CameraStatus) -> [String: String] {
        var facts = ["CAMERA": status.name, "CAMERA_ID": status.id.rawValue, "STATE": status.state.rawValue]
        facts["MAKER"] = status.facts?.maker
        facts["MODEL"] = status.facts?.model
        facts["SERIAL"] = status.facts?.serial
        return facts
    }

    /// Of a condition.
    func of(_ condition: Condition) -> [String: String] {
        [
            "CODE": condition.code, "SEVERITY": condition.severity.rawValue,
            "SUBJECT": condition.subject?.text ?? "",
            "SENTENCE": condition.sentence, "NEXT_STEP": condition.nextStep,
        ]
    }

    /// Adds the photo to what happened to its upload.
    ///
    /// - Returns: `nil` when the hook is not to be run: the photo is not yet everywhere, or gone from the ledger.
    func lookUp(_ event: HookEvent) async -> HookEvent? {
        guard event.photo == nil,
            let id = event.facts["CAPTURE"].flatMap({ Int64($0) }).map(CaptureID.init(rawValue:))
        else { return event }
        do {
            if event.moment == .deliveredEverywhere {
                // Of all deliveries of the photo only the last one tells that it is everywhere.
                let jobs = try await ledger.uploads(capture: id)
                let last = jobs.max {
                    ($0.deliveredAt ?? .distantFuture, $0.id) < ($1.deliveredAt ?? .distantFuture, $1.id)
                }
                guard last?.state == .delivered, last?.id.description == event.facts["JOB"] else {
                    return nil
                }
            }
            guard let record = try await ledger.capture(id: id) else { return nil }
            var event = event
            event.facts.merge(of(record)) { mine, _ in mine }
            if event.moment == .deliveredEverywhere {
                for fact in ["JOB", "EVIDENCE"] { event.facts[fact] = nil }
                event.facts["NAME"] = of(record)["NAME"]
            }
            event.photo = photo(record)
            return event
        } catch {
            logger.error("cannot look up what a hook is run for", metadata: ["reason": "\(error)"])
            return event
        }
    }
}

extension Hook {
    /// Longest run of a hook that does not say, in seconds.
    private static let secondsUsual = 60.0

    init(_ configured: Configuration.Hook) {
        self.init(
            name: configured.name, on: configured.on,
            command: CommandSettings(
                program: configured.command.first ?? "", arguments: Array(configured.command.dropFirst()),
                timeoutSeconds: configured.timeout.map { $0 / .seconds(1) } ?? Self.secondsUsual),
            rule: UploadRule(
                types: configured.types.map { Set($0.map(UploadRule.FileType.init)) },
                cameras: configured.cameras.map(Set.init), sessions: configured.sessions.map(Set.init)),
            destinations: configured.destinations.map { Set($0.map(DestinationName.init(rawValue:))) },
            parallel: configured.concurrency ?? 1, retries: configured.retries ?? 0)
    }
}
