import Foundation
import FrameFastModel
import Logging
import Store

/// What uploads left at the destination, and belongs to nobody any more.
extension UploadWorker {
    /// The most leftovers that are remembered of a destination; a person who drops more has emptied the place by hand.
    private static let leftoversMax = 5000
    /// Time between two tries at a destination that does not answer, in seconds.
    private static let leftoverPauseSeconds = 30.0

    /// Under this name the ledger keeps a destination's leftovers.
    static func leftoversKey(_ name: DestinationName) -> String { "leftovers:\(name)" }

    /// Restores the leftovers of earlier runs of the service.
    func restoreLeftovers() async {
        guard let text = try? await ledger.store.uploadSetting(Self.leftoversKey(target.name)),
            let kept = try? JSONDecoder().decode([UploadLeftover].self, from: Data(text.utf8))
        else { return }
        leftovers = kept
        leftoversDue = clock.now()
    }

    /// Records what a dropped or failed upload left, and has it removed.
    func own(_ job: UploadJob) async {
        let record = try? await ledger.store.capture(id: job.captureID)
        guard let leftover = UploadLeftover(job, sha256: record?.sha256) else { return }
        leftovers = leftovers.filter { $0.job != leftover.job }.suffix(Self.leftoversMax - 1) + [leftover]
        leftoversDue = clock.now()
        await saveLeftovers()
        bell.ring()
    }

    /// Removes leftovers when it is time.
    func discardLeftovers() async {
        guard let due = leftoversDue, due <= clock.now(), gate.allowance(workers: 1) > 0 else { return }
        leftoversDue = nil
        for leftover in leftovers where running[JobID(rawValue: leftover.job)] == nil {
            // The upload goes on: its part is not left over.
            let job = try? await ledger.store.upload(id: JobID(rawValue: leftover.job))
            if let job, job.state != .failed {
                leftovers.removeAll { $0 == leftover }
                continue
            }
            do throws(UploadFailure) {
                try await target.destination.discard(leftover.item(station: station.name))
                if job != nil {
                    try? await ledger.store.saveResumePoint(nil, job: JobID(rawValue: leftover.job))
                }
                leftovers.removeAll { $0 == leftover }
            } catch {
                ledger.logger.notice(
                    "cannot remove what an upload left",
                    metadata: [
                        "destination": "\(target.name)", "name": "\(leftover.remoteName)",
                        "reason": "\(error.sentence)",
                    ])
                // What the destination refuses stays; one that does not answer is asked again.
                if case .permanent = error.kind { leftovers.removeAll { $0 == leftover } } else { break }
            }
        }
        await saveLeftovers()
        if !leftovers.isEmpty { leftoversDue = clock.now().addingTimeInterval(Self.leftoverPauseSeconds) }
    }

    private func saveLeftovers() async {
        let text =
            leftovers.isEmpty
            ? nil : (try? JSONEncoder().encode(leftovers)).map { String(decoding: $0, as: UTF8.self) }
        let key = Self.leftoversKey(target.name)
        _ = await ledger.insist { try await $0.setUploadSetting(key, text) }
    }
}
