import CaptureEngine
import ChildProcesses
import Foundation
import FrameFastConfiguration
import FrameFastModel
import Hooks
import Logging
import SettingKeys
import Store

/// A factory of hook events for photos and uploads. Some facts need a lookup in the ledger.
struct HookFacts: Sendable {
    let naming: CaptureNaming
    let ledger: LedgerStore
    /// The capture directory.
    let directory: String
    let logger: Logger

    /// Creates the event for a saved photo.
    func event(_ kind: Hook.EventKind, _ record: CaptureRecord) -> HookEvent {
        let photo = naming.photo(record)
        return HookEvent(kind, facts: facts(of: photo), photo: photo)
    }

    /// Creates the event for an upload. ``lookUp(_:)`` adds the photo later.
    func event(_ kind: Hook.EventKind, _ job: UploadJob) -> HookEvent {
        var facts = Facts(job)
        // The filters of hooks use these facts, so they must be set before the lookup.
        facts[.camera] = naming.camera(job.bodyID).name
        facts[.session] = naming.session(job.sessionID)?.name
        if kind == .deliveredEverywhere {
            for fact in [FactName.destination, .job, .evidence, .name] { facts[fact] = nil }
        }
        return HookEvent(kind, facts: facts, job: job)
    }

    private func facts(of photo: Photo) -> Facts {
        Facts(photo, name: photo.record.path(below: directory) ?? photo.record.object.name)
    }

    /// Adds the facts of the photo to an event of its upload.
    ///
    /// - Returns: `nil` if the hook must not run, because not all uploads of the photo are delivered, a later
    ///   delivery runs the hook, or the ledger does not have the photo.
    func lookUp(_ event: HookEvent) async -> HookEvent? {
        guard event.photo == nil, let job = event.job else { return event }
        do {
            if event.kind == .deliveredEverywhere {
                // Only the event of the photo's last delivery runs the hook.
                let last = try await ledger.uploads(capture: job.captureID).max {
                    ($0.deliveredAt ?? .distantFuture, $0.id) < ($1.deliveredAt ?? .distantFuture, $1.id)
                }
                guard last?.state == .delivered, last?.id == job.id,
                    try await !ledger.hasUnratedUpload(job.captureID)
                else { return nil }
            }
            guard let record = try await ledger.capture(id: job.captureID) else { return nil }
            let photo = naming.photo(record)
            var event = event
            event.facts.merge(facts(of: photo)) { mine, _ in mine }
            event.photo = photo
            return event
        } catch {
            logger.error("cannot look up the facts of a hook's event", metadata: ["reason": "\(error)"])
            return event
        }
    }
}

extension Hook {
    init(_ configured: Configuration.Hook) {
        self.init(
            name: configured.name, on: configured.on,
            command: CommandSettings(
                program: configured.command.first ?? "", arguments: Array(configured.command.dropFirst()),
                timeoutSeconds: (configured.timeout ?? HookKeys.defaultTimeout) / .seconds(1)),
            rule: UploadRule(
                types: configured.types.map { Set($0.map(UploadRule.FileType.init)) },
                cameras: configured.cameras.map(Set.init), sessions: configured.sessions.map(Set.init)),
            destinations: configured.destinations.map { Set($0.map(DestinationName.init(rawValue:))) },
            parallel: configured.concurrency ?? 1, retries: configured.retries ?? 0)
    }
}
