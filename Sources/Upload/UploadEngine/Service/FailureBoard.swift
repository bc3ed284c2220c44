import Foundation
import FrameFastModel
import Store

/// The conditions of the upload queues. Each change is reported once.
actor FailureBoard {
    private let tell: @Sendable (UploadEvent) -> Void
    /// The text of each condition that was reported last.
    private var told: [Condition.Key: Words] = [:]

    private struct Words: Hashable {
        var sentence: String
        var nextStep: String
    }

    init(tell: @escaping @Sendable (UploadEvent) -> Void) { self.tell = tell }

    func look(_ statistics: UploadStatistics, _ ledger: QueueLedger) async {
        let name = statistics.destination
        if statistics.standing == .removed { return lookRemoved(name, statistics.counts.undelivered, ledger) }
        do {
            show(.uploadFailed, try await failure(statistics, ledger), name, ledger)
        } catch {
            // The next call tries again.
        }
        let held = HeldPhotos(statistics.counts.holds).map {
            Words(sentence: $0.sentence(name), nextStep: $0.nextStep)
        }
        show(.uploadHeld, held, name, ledger)
    }

    /// Raises a condition if its text changed, or clears it if there is no text.
    private func show(
        _ kind: ConditionKind, _ words: Words?, _ name: DestinationName, _ ledger: QueueLedger
    ) {
        let subject = ConditionSubject.destination(name)
        let key = Condition.Key(kind: kind, subject: subject)
        guard words != told[key] else { return }
        told[key] = words
        guard let words else { return tell(.cleared(kind, subject: subject)) }
        tell(
            .raised(
                Condition(
                    kind, since: ledger.clock.now(), subject: subject, sentence: words.sentence,
                    nextStep: words.nextStep)))
    }

    /// Returns the text for the upload that failed last, or `nil` if no upload is failed.
    private func failure(_ statistics: UploadStatistics, _ ledger: QueueLedger) async throws -> Words? {
        let (name, count) = (statistics.destination, statistics.counts[.failed].jobs)
        guard count > 0, let last = try await ledger.store.lastFailedUpload(destination: name) else {
            return nil
        }
        return Words(
            sentence: HeldPhotos.photos(count) + " could not be uploaded to \(name): "
                + (last.sentence ?? "no reason is on record."),
            nextStep: last.nextStep ?? "Retry the uploads, or drop them.")
    }

    /// Updates the only condition of a destination that is no longer configured.
    private func lookRemoved(_ name: DestinationName, _ jobs: Int, _ ledger: QueueLedger) {
        guard jobs > 0 else { return tell(.cleared(.destinationRemoved, subject: .destination(name))) }
        tell(
            .raised(
                Condition(
                    .destinationRemoved, since: ledger.clock.now(), subject: .destination(name),
                    sentence: "\(HeldPhotos.photos(jobs)) for \(name) "
                        + (jobs == 1 ? "does" : "do") + " not go out. " + RemovedDestination.sentence,
                    nextStep: RemovedDestination.nextStep(name))))
    }
}
