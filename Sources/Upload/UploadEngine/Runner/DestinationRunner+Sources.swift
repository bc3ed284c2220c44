import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import SystemPackage

/// Handling photos that cannot be read on this computer.
extension DestinationRunner {
    /// Reports an unreadable photo. If a whole folder is unavailable, postpones all uploads of its photos in
    /// one commit.
    func handleUnreadableSource(_ failure: UploadFailure, _ path: String) async {
        let folder = await files.run { LocalFailureMapping.awayFolder(of: path) }
        sources.reportUnreadable(folder, path, failure)
        guard let folder else { return }
        let (name, until) = (target.name, currentDate().addingTimeInterval(UploadBackoff.sourceSeconds))
        let failedAttempt = failure.failedAttempt
        let captures = await ledger.withRetries {
            try await $0.deferUploads(of: folder, destination: name, until: until, failedAttempt)
        }
        ledger.report(changed: captures ?? [])
    }

    /// Reports a shortage of file descriptors, processes or memory on this computer. `nil` reports the end of
    /// the shortage.
    func reportShortage(_ reason: Errno?) {
        guard reason != nil || shortage.isOn else { return }
        if reason == nil { shortage.stop() } else { shortage.start(at: currentDate()) }
        ledger.report(.shortage(destination: target.name, reason))
    }

    /// Returns whether an upload waits for a retry. Returns `true` if the ledger cannot be read.
    func hasWaiting() async -> Bool {
        do {
            return try await ledger.store.nextUploadAttempt(destination: target.name) != nil
        } catch { return true }
    }

    /// Retries jobs whose missing files exist again.
    func retryRestoredFiles() async {
        guard let after = missingFiles.beginPoll(at: currentDate()) else { return }
        guard
            let jobs = try? await ledger.store.uploadsWithoutFile(
                destination: target.name, after: after, limit: MissingFilePoll.pageMax)
        else { return missingFiles.recordFailure(at: currentDate()) }
        let restored = await files.run { jobs.filter(\.isBack).map(\.id) }
        if !restored.isEmpty { await retryJobs(restored) }
        missingFiles.recordPage(jobs.map(\.id), at: currentDate())
    }

    private func retryJobs(_ ids: [JobID]) async {
        let outcomes = ids.map { LedgerStore.UploadOutcome(jobID: $0, event: .retried) }
        _ = await ledger.withRetries { [onJobChange] store in
            try await store.applyToUploads(outcomes) { changes in
                for change in changes where change.action != .nothing {
                    onJobChange(change.job, change.photo)
                }
            }
        }
    }
}

extension LedgerStore.UploadWithoutFile {
    /// Whether a file of the recorded size exists again. The next attempt checks its content.
    fileprivate var isBack: Bool { (try? FileReader(path))?.size == bytes }
}
