import Foundation
import FrameFastModel
import FrameFastSystem
import Store

/// Photos that cannot be reached on this computer.
extension UploadWorker {
    /// Time between two looks for files that were gone, in seconds: a person who brings one back watches for it.
    static let fileLookSeconds = 60.0
    /// Files that are looked for at a time.
    private static let fileLookMax = 500

    /// Says so; and when it is a folder, all of its photos wait for it together, instead of each finding out.
    func waitForSource(_ failure: UploadFailure, _ path: String) async {
        let folder = try? await files.run { LocalTrouble.awayFolder(of: path) }
        sources.isAway(folder ?? nil, path, failure)
        guard let folder = folder ?? nil else { return }
        let (name, until) = (target.name, clock.now().addingTimeInterval(UploadBackoff.sourceSeconds))
        let failedAttempt = failure.failedAttempt
        let captures = await ledger.insist {
            try await $0.deferUploads(of: folder, destination: name, until: until, failedAttempt)
        }
        ledger.tell(changed: captures ?? [])
    }

    /// Photos whose files were gone go again when these are back.
    func lookForFiles() async {
        guard let due = nextFileLook, due <= clock.now() else { return }
        let (name, after) = (target.name, lookedForUpTo)
        let jobs =
            (try? await ledger.store.uploadsWithoutFile(
                destination: name, after: after, limit: Self.fileLookMax))
            ?? []
        let back = (try? await files.run { jobs.filter(\.isBack).map(\.id) }) ?? []
        if !back.isEmpty { await goAgain(back) }
        lookedForUpTo = jobs.count == Self.fileLookMax ? jobs.last?.id ?? 0 : 0
        // From the beginning again; none at all is worth no further look.
        nextFileLook =
            jobs.isEmpty && after == 0 ? nil : clock.now().addingTimeInterval(Self.fileLookSeconds)
    }

    private func goAgain(_ ids: [JobID]) async {
        let changes =
            await ledger.insist { try await $0.applyToUploads(ids.map { .init(jobID: $0, event: .retried) }) }
        for change in changes ?? [] where change.action != .nothing { settled(change.job) }
    }
}

extension LedgerStore.UploadWithoutFile {
    /// Whether a file of its size is there again; whether it is the photo, the next try sees.
    fileprivate var isBack: Bool { (try? FileReader(path))?.size == bytes }
}
