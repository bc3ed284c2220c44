import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import Hooks
import Logging
import Store
import Synchronization
import UploadEngine

/// Tells hooks what happens in the rooms. Every call is quick: what has to be looked up waits for the hook's turn.
final class HookFeed: Sendable {
    private struct Known {
        var cameras: Set<CameraID> = []
        var destinationsDown: Set<DestinationName> = []
        var conditions: [Condition.Key: Condition] = [:]
    }

    /// The conditions of a disk that fills up.
    private static let ofDisk: Set<ConditionKind> = [.diskLow, .diskFull]
    /// A hook that is told that hooks are behind would be still further behind.
    private static let untold: Set<ConditionKind> = [.hookBehind]

    let service: HookService
    private let facts: HookFacts
    private let known = Mutex(Known())

    init(service: HookService, facts: HookFacts) {
        self.service = service
        self.facts = facts
    }

    /// A photo is saved.
    func saved(_ record: CaptureRecord) {
        guard service.hears(.saved) else { return }
        service.offer(facts.event(.saved, record))
    }

    /// The queue tells something.
    func upload(_ event: UploadEvent) {
        switch event {
        case .job(let job) where job.state == .delivered:
            offer(.delivered, job)
            offer(.deliveredEverywhere, job)
        case .job(let job) where job.state == .failed: offer(.failed, job)
        case .raised(let condition) where condition.kind == .destinationAway:
            guard case .destination(let name) = condition.subject,
                known.withLock({ $0.destinationsDown.insert(name).inserted })
            else { return }
            offer(.destinationDown) {
                [
                    .destination: name.rawValue, .sentence: condition.sentence,
                    .nextStep: condition.nextStep,
                ]
            }
        case .standing(let name, .ready):
            guard known.withLock({ $0.destinationsDown.remove(name) != nil }) else { return }
            offer(.destinationUp) { [.destination: name.rawValue] }
        default: break
        }
    }

    /// A camera is new or changed.
    func camera(_ status: CameraStatus) {
        let moment = known.withLock { known -> Hook.Moment? in
            switch status.state {
            case .ready: known.cameras.insert(status.id).inserted ? .cameraReady : nil
            case .downloading, .connecting, .reconnecting: nil
            default: known.cameras.remove(status.id) == nil ? nil : .cameraGone
            }
        }
        guard let moment else { return }
        offer(moment) { Facts(status) }
    }

    /// A session has begun, or ended.
    func session(_ session: SessionReply) {
        offer(session.endedAt == nil ? .sessionStarted : .sessionStopped) {
            [
                .session: session.name, .sessionNumber: session.id.description,
                .shots: String(session.shots), .photos: String(session.captures),
            ]
        }
    }

    /// The whole new list of conditions.
    func conditions(_ conditions: [Condition]) {
        let notable = conditions.filter { $0.severity > .info && !Self.untold.contains($0.kind) }
        let now = Dictionary(notable.map { ($0.key, $0) }) { first, _ in first }
        let (new, over) = known.withLock { known in
            defer { known.conditions = now }
            return (
                now.filter { known.conditions[$0.key] == nil }.values,
                known.conditions.filter { now[$0.key] == nil }.values
            )
        }
        for condition in new {
            offer(.attention) { Facts(condition) }
            if Self.ofDisk.contains(condition.kind) { offer(.diskLow) { Facts(condition) } }
        }
        for condition in over { offer(.resolved) { Facts(condition) } }
    }

    private func offer(_ moment: Hook.Moment, _ job: UploadJob) {
        guard service.hears(moment) else { return }
        service.offer(facts.event(moment, job))
    }

    private func offer(_ moment: Hook.Moment, _ facts: () -> Facts) {
        guard service.hears(moment) else { return }
        service.offer(HookEvent(moment, facts: facts()))
    }
}
