import Foundation
import FrameFastModel
import FrameFastSystem
import Store

/// A reporter for the conditions of the upload queues. For configured destinations, only changes are
/// reported.
actor QueueConditions {
    private let report: @Sendable (UploadEvent) -> Void
    /// The last reported text of each condition.
    private var reported: [Condition.Key: Words] = [:]

    private struct Words: Hashable {
        var sentence: String
        var nextStep: String
    }

    init(report: @escaping @Sendable (UploadEvent) -> Void) { self.report = report }

    func update(from statistics: UploadStatistics, _ ledger: QueueLedger) async {
        let name = statistics.destination
        if statistics.state == .removed {
            return updateRemoved(name, statistics.counts.undelivered, ledger)
        }
        do {
            reportChange(.uploadFailed, try await failure(statistics, ledger), name, ledger)
        } catch {
            // A failed update is harmless, because the next call tries again.
        }
        let held = HeldPhotos(statistics.counts.holds).map {
            Words(sentence: $0.sentence(name), nextStep: $0.nextStep)
        }
        reportChange(.uploadHeld, held, name, ledger)
    }

    /// Raises a condition if its text changed, or clears it if the text is `nil`.
    private func reportChange(
        _ kind: ConditionKind, _ words: Words?, _ name: DestinationName, _ ledger: QueueLedger
    ) {
        let subject = ConditionSubject.destination(name)
        let key = Condition.Key(kind: kind, subject: subject)
        guard words != reported[key] else { return }
        reported[key] = words
        guard let words else { return report(.cleared(kind, subject: subject)) }
        report(
            .raised(
                Condition(
                    kind, since: ledger.clock.now(), subject: subject, sentence: words.sentence,
                    nextStep: words.nextStep)))
    }

    /// Returns the text about the latest failed upload, or `nil` if no upload has failed.
    private func failure(_ statistics: UploadStatistics, _ ledger: QueueLedger) async throws -> Words? {
        let (name, count) = (statistics.destination, statistics.counts[.failed].jobs)
        guard count > 0, let last = try await ledger.store.lastFailedUpload(destination: name) else {
            return nil
        }
        return Words(
            sentence: HeldPhotos.photos(count) + " could not be uploaded to \(name): "
                + (last.sentence ?? "no reason was recorded."),
            nextStep: last.nextStep ?? "Retry the uploads, or drop them.")
    }

    /// Updates the condition about unfinished jobs of a destination that is no longer configured.
    private func updateRemoved(_ name: DestinationName, _ jobs: Int, _ ledger: QueueLedger) {
        guard jobs > 0 else { return report(.cleared(.destinationRemoved, subject: .destination(name))) }
        report(
            .raised(
                Condition(
                    .destinationRemoved, since: ledger.clock.now(), subject: .destination(name),
                    sentence: "\(HeldPhotos.photos(jobs)) for \(name) "
                        + (jobs == 1 ? "is" : "are") + " not uploaded. " + RemovedDestination.sentence,
                    nextStep: RemovedDestination.nextStep(name))))
    }
}
