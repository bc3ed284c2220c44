import APIServer
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import SettingKeys
import Store
import UploadEngine

/// What photos take on this computer, and how long they stay.
extension DaemonControl {
    func attachStorage(to table: inout EndpointTable) {
        table.on(\.storage.summary, storage)
        table.on(\.storage.clear, clearStorage)
        table.on(\.storage.adopt, adoptStorage)
        table.on(\.sessions.keep, keepSession)
    }

    func storage() async throws(ControlError) -> StorageSummaryReply {
        let sessions = try await asking { [ledger] in try await ledger.storageSummaries() }
        var reply = StorageSummaryReply()
        for one in sessions {
            let usual = configuration.storage.keep
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

    func clearStorage(_ request: StorageClearRequest) async throws(ControlError) -> StorageClearReply {
        let before = Date.now.addingTimeInterval(-TimeInterval(request.olderThanSeconds ?? 0))
        let photos = try await uploading { uploads in
            try await uploads.clearDelivered(
                session: request.session, savedBefore: before, isTrial: request.dryRun == true)
        }
        return StorageClearReply(
            files: photos.files, bytes: Int64(clamping: photos.bytes), kept: photos.kept)
    }

    func adoptStorage() async throws(ControlError) -> DiskReply {
        let problem: (problem: String, nextStep: String)?
        do { problem = try await engine.adoptFolder() } catch {
            throw ControlError(.conflict, "cannot save photos to \(settings.directory): \(error)")
        }
        if let problem {
            throw ControlError(
                .conflict,
                "cannot save photos to \(settings.directory): the folder \(problem.problem)",
                nextStep: problem.nextStep)
        }
        return disk()
    }

    func keepSession(id: SessionID, _ request: SessionKeepRequest) async throws(ControlError) -> SessionReply
    {
        let rule = try Self.rule(request.keep)
        try await uploading { try await $0.setRetention(rule, session: id) }
        guard let session = try await sessions(limit: SessionsQuery.limitMax).first(where: { $0.id == id })
        else {
            throw ControlError(.notFound, "cannot find session \(id)")
        }
        hub.publish(.session(session))
        return session
    }

    static func rule(_ text: String?) throws(ControlError) -> RetentionRule? {
        guard let text else { return nil }
        guard let rule = RetentionRule(text) else {
            throw ControlError(
                .invalid, "cannot keep photos for '\(text)'",
                nextStep: "Give a duration: a number of days such as '7 d', 'until-delivered' or 'forever'.")
        }
        return rule
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
