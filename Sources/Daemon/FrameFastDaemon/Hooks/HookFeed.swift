import Foundation
import FrameFastAPI
import FrameFastModel
import Hooks
import Synchronization
import UploadEngine

/// A feed of engine events to hooks. Every call returns quickly, because the hook service looks up the facts
/// only when a hook runs.
final class HookFeed: Sendable {
    private struct State {
        var cameras: Set<CameraID> = []
        var destinationsDown: Set<DestinationName> = []
        var conditions: [Condition.Key: Condition] = [:]
    }

    /// The conditions that trigger `disk-low` hooks.
    private static let diskKinds: Set<ConditionKind> = [.diskLow, .diskFull]
    /// The conditions that trigger no hook. A hook for `hookBehind` would delay the hooks further.
    private static let silentKinds: Set<ConditionKind> = [.hookBehind]

    let service: HookService
    private let facts: HookFacts
    private let state = Mutex(State())

    init(service: HookService, facts: HookFacts) {
        self.service = service
        self.facts = facts
    }

    /// Handles a saved photo.
    func handleSaved(_ record: CaptureRecord) {
        guard service.hasHook(for: .saved) else { return }
        service.enqueue(facts.event(.saved, record))
    }

    /// Handles an event of the upload queue.
    func handleUpload(_ event: UploadEvent) {
        switch event {
        case .job(let job, _) where job.state == .delivered:
            enqueue(.delivered, job)
            enqueue(.deliveredEverywhere, job)
        case .job(let job, _) where job.state == .failed: enqueue(.failed, job)
        case .raised(let condition) where condition.kind == .destinationAway:
            guard case .destination(let name) = condition.subject,
                state.withLock({ $0.destinationsDown.insert(name).inserted })
            else { return }
            enqueue(.destinationDown) {
                [
                    .destination: name.rawValue, .sentence: condition.sentence,
                    .nextStep: condition.nextStep,
                ]
            }
        case .state(let name, .ready):
            guard state.withLock({ $0.destinationsDown.remove(name) != nil }) else { return }
            enqueue(.destinationUp) { [.destination: name.rawValue] }
        default: break
        }
    }

    /// Handles a camera that was added or changed.
    func handleCamera(_ status: CameraStatus) {
        let kind = state.withLock { state -> Hook.EventKind? in
            switch status.state {
            case .ready: state.cameras.insert(status.id).inserted ? .cameraReady : nil
            case .downloading, .connecting, .reconnecting: nil
            default: state.cameras.remove(status.id) == nil ? nil : .cameraGone
            }
        }
        guard let kind else { return }
        enqueue(kind) { Facts(status) }
    }

    /// Handles a session that has started or ended.
    func handleSession(_ session: SessionReply) {
        enqueue(session.endedAt == nil ? .sessionStarted : .sessionStopped) {
            [
                .session: session.name, .sessionNumber: session.id.description,
                .shots: String(session.shots), .photos: String(session.captures),
            ]
        }
    }

    /// Handles the complete new list of conditions.
    func handleConditions(_ conditions: [Condition]) {
        let notable = conditions.filter { $0.severity > .info && !Self.silentKinds.contains($0.kind) }
        let now = Dictionary(notable.map { ($0.key, $0) }) { first, _ in first }
        let (new, over) = state.withLock { state in
            defer { state.conditions = now }
            return (
                now.filter { state.conditions[$0.key] == nil }.values,
                state.conditions.filter { now[$0.key] == nil }.values
            )
        }
        for condition in new {
            enqueue(.attention) { Facts(condition) }
            if Self.diskKinds.contains(condition.kind) { enqueue(.diskLow) { Facts(condition) } }
        }
        for condition in over { enqueue(.resolved) { Facts(condition) } }
    }

    private func enqueue(_ kind: Hook.EventKind, _ job: UploadJob) {
        guard service.hasHook(for: kind) else { return }
        service.enqueue(facts.event(kind, job))
    }

    private func enqueue(_ kind: Hook.EventKind, _ facts: () -> Facts) {
        guard service.hasHook(for: kind) else { return }
        service.enqueue(HookEvent(kind, facts: facts()))
    }
}
