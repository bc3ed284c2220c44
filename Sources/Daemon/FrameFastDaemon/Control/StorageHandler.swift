import APIServer
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import SettingKeys
import Store
import UploadEngine

/// The endpoints that report the disk usage of photos, remove delivered photos from this computer, and accept
/// the current disk for photos.
struct StorageHandler: EndpointHandler {
    let ledger: LedgerStore
    let uploads: UploadService
    let engine: CaptureEngine
    /// The capture directory.
    let directory: String
    let configuration: CurrentValue<Configuration>
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.storage.summary, with: summary)
        table.handle(\.storage.clear, with: clear)
        table.handle(\.storage.adopt, with: adopt)
    }

    /// Returns the state of the disk that photos are saved to.
    func disk() -> DiskReply {
        let disk = engine.disk
        return DiskReply(
            directory: directory, freeBytes: Int64(clamping: disk.freeBytes),
            minFreeBytes: Int64(clamping: disk.minFreeBytes),
            totalBytes: (try? DiskSpace.of(directory)).map { Int64(clamping: $0.totalBytes) },
            guard: disk.level)
    }

    func summary() async throws(ControlError) -> StorageSummaryReply {
        let sessions = try await ledger.mapErrors { try await $0.storageSummaries() }
        var reply = StorageSummaryReply()
        for one in sessions {
            let usual = configuration.now.storage.keep
            let session = SessionStorageReply(one, keep: one.keep ?? usual)
            reply.total += session.total
            reply.uploaded += session.uploaded
            reply.pending += session.pending
            reply.failed += session.failed
            reply.local += session.local
            reply.cleared += session.cleared
            reply.sessions.append(session)
        }
        return reply
    }

    func clear(_ request: StorageClearRequest) async throws(ControlError) -> StorageClearReply {
        let before = clock.now().addingTimeInterval(-TimeInterval(request.olderThanSeconds ?? 0))
        let photos = try await uploads.mapErrors { uploads in
            try await uploads.clearDelivered(
                session: request.session, savedBefore: before, isTrial: request.dryRun == true)
        }
        return StorageClearReply(
            files: photos.files, bytes: Int64(clamping: photos.bytes), kept: photos.kept)
    }

    func adopt() async throws(ControlError) -> DiskReply {
        let problem: (problem: String, nextStep: String)?
        do { problem = try await engine.adoptCurrentDisk() } catch {
            throw ControlError(.conflict, "cannot save photos to \(directory): \(error)")
        }
        if let problem {
            throw ControlError(
                .conflict,
                "cannot save photos to \(directory): the folder \(problem.problem)",
                nextStep: problem.nextStep)
        }
        return disk()
    }
}

extension SessionStorageReply {
    fileprivate init(_ storage: SessionStorage, keep: RetentionRule) {
        let sums = storage.summary
        self.init(
            session: storage.session, name: storage.name, keep: keep.text, total: .init(sums.total),
            uploaded: .init(sums.uploaded), pending: .init(sums.pending), failed: .init(sums.failed),
            local: .init(sums.local), cleared: .init(sums.cleared))
    }
}

extension StorageAmountReply {
    fileprivate init(_ sum: StorageSummary.Sum) {
        self.init(files: sum.files, bytes: Int64(clamping: sum.bytes))
    }

    fileprivate static func += (sum: inout Self, more: Self) {
        sum.files += more.files
        sum.bytes += more.bytes
    }
}
