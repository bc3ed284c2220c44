public import Foundation
public import FrameFastModel
import Store

/// The result of a person's request to clear photos.
public struct ClearedPhotos: Hashable, Sendable {
    /// The number of removed files. For a trial, the number of files that would be removed.
    public var files = 0
    /// The total size of these files, in bytes.
    public var bytes: UInt64 = 0
    /// The number of files that were not removed because they were missing, changed or not removable.
    public var kept = 0

    mutating func add(_ photos: [CaptureRecord]) {
        files += photos.count
        bytes += photos.reduce(0) { $0 + ($1.bytes ?? 0) }
    }
}

/// Disk space on this computer.
extension UploadService {
    /// Removes the local files of photos that are delivered to all their destinations.
    ///
    /// - Parameters:
    ///   - session: The session, or `nil` for all sessions.
    ///   - savedBefore: The date before which a photo must have been saved.
    ///   - isTrial: Whether to only count the files, without removing them.
    public func clearDelivered(session: SessionID?, savedBefore: Date, isTrial: Bool) async throws
        -> ClearedPhotos
    {
        if let session { try await require(session) }
        return try await retention.clearDelivered(
            session: session.map(Optional.some), savedBefore: savedBefore, isTrial: isTrial)
    }

    /// Sets how long a session's photos stay on this computer. A rule of `nil` restores the configured rule.
    public func setRetention(_ rule: RetentionRule?, session: SessionID) async throws {
        guard try await ledger.store.setRetention(rule, session: session) else {
            throw VerbError.noSuchSession(session)
        }
        retention.handleRuleChange()
    }

    private func require(_ session: SessionID) async throws {
        guard try await ledger.store.sessionName(session) != nil else {
            throw VerbError.noSuchSession(session)
        }
    }
}
