import CaptureEngine
import ChildProcesses
import Foundation
import FrameFastConfiguration
import FrameFastModel
import Hooks
import Logging
import SettingKeys
import Store

/// What hooks are told of photos and uploads; some of it has to be looked up.
struct HookFacts: Sendable {
    let naming: CaptureNaming
    let ledger: LedgerStore
    /// The capture directory.
    let directory: String
    let logger: Logger

    /// A saved photo.
    func event(_ moment: Hook.Moment, _ record: CaptureRecord) -> HookEvent {
        let photo = naming.photo(record)
        return HookEvent(moment, facts: facts(of: photo), photo: photo)
    }

    /// Something about an upload; its photo is looked up later.
    func event(_ moment: Hook.Moment, _ job: UploadJob) -> HookEvent {
        var facts = Facts(job)
        // What hooks choose by is known already.
        facts[.camera] = naming.camera(job.bodyID).name
        facts[.session] = naming.session(job.sessionID)?.name
        if moment == .deliveredEverywhere {
            for fact in [FactName.destination, .job, .evidence, .name] { facts[fact] = nil }
        }
        return HookEvent(moment, facts: facts, job: job)
    }

    private func facts(of photo: Photo) -> Facts {
        Facts(photo, name: photo.record.path(below: directory) ?? photo.record.object.name)
    }

    /// Adds the photo to what happened to its upload.
    ///
    /// - Returns: `nil` when the hook is not to be run: the photo is not yet everywhere, or gone from the ledger.
    func lookUp(_ event: HookEvent) async -> HookEvent? {
        guard event.photo == nil, let job = event.job else { return event }
        do {
            if event.moment == .deliveredEverywhere {
                // Of all deliveries of the photo only the last one tells that it is everywhere.
                let last = try await ledger.uploads(capture: job.captureID).max {
                    ($0.deliveredAt ?? .distantFuture, $0.id) < ($1.deliveredAt ?? .distantFuture, $1.id)
                }
                guard last?.state == .delivered, last?.id == job.id else { return nil }
            }
            guard let record = try await ledger.capture(id: job.captureID) else { return nil }
            let photo = naming.photo(record)
            var event = event
            event.facts.merge(facts(of: photo)) { mine, _ in mine }
            event.photo = photo
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
            parallel: configured.concurrency ?? 1, retries: configured.retries ?? 0,
            isDurable: configured.durable ?? false)
    }
}
