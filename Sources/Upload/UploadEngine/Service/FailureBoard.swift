import Foundation
import FrameFastModel
import Store

/// Says what of a destination's queue a person should know, once.
actor FailureBoard {
    private let tell: @Sendable (UploadEvent) -> Void
    private var failed: [DestinationName: Int] = [:]
    private var held: [DestinationName: Int] = [:]

    init(tell: @escaping @Sendable (UploadEvent) -> Void) { self.tell = tell }

    func look(_ statistics: UploadStatistics, _ ledger: QueueLedger) async {
        let name = statistics.destination
        if statistics.standing == .removed { return lookRemoved(name, statistics.counts.undelivered, ledger) }
        let failures = statistics.counts[.failed].jobs
        if failures != failed[name] ?? 0 {
            failed[name] = failures
            if failures == 0 {
                tell(.cleared(.uploadFailed, subject: .destination(name)))
            } else if let last = try? await ledger.store.lastFailedUpload(destination: name) {
                tell(
                    .raised(
                        Condition(
                            .uploadFailed, since: ledger.clock.now(),
                            subject: .destination(name),
                            sentence: Self.photos(failures) + " could not be uploaded to \(name): "
                                + (last.sentence ?? "no reason is on record."),
                            nextStep: last.nextStep ?? "Retry the uploads, or drop them.")))
            }
        }
        let holds = statistics.counts[.held].jobs
        if holds != held[name] ?? 0 {
            held[name] = holds
            if holds == 0 {
                tell(.cleared(.uploadHeld, subject: .destination(name)))
            } else if let hold = statistics.counts.holds.max(by: { $0.value.jobs < $1.value.jobs })?.key {
                tell(
                    .raised(
                        Condition(
                            .uploadHeld, since: ledger.clock.now(), subject: .destination(name),
                            sentence: "\(Self.photos(holds)) for \(name) "
                                + (holds == 1 ? "is held. " : "are held. ") + hold.sentence,
                            nextStep: hold.nextStep)))
            }
        }
    }

    /// A destination that is gone says only that.
    private func lookRemoved(_ name: DestinationName, _ jobs: Int, _ ledger: QueueLedger) {
        guard jobs > 0 else { return tell(.cleared(.destinationRemoved, subject: .destination(name))) }
        tell(
            .raised(
                Condition(
                    .destinationRemoved, since: ledger.clock.now(), subject: .destination(name),
                    sentence: "\(Self.photos(jobs)) for \(name) "
                        + (jobs == 1 ? "does" : "do") + " not go out. " + RemovedDestination.sentence,
                    nextStep: RemovedDestination.nextStep(name))))
    }

    private static func photos(_ count: Int) -> String { count == 1 ? "1 photo" : "\(count) photos" }
}
