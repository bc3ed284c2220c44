public import Foundation
public import FrameFastModel
import Store

/// The result of a person's request to clear photos.
public struct ClearedPhotos: Hashable, Sendable {
    /// The number of files that were removed, or would be.
    public var files = 0
    /// The total size of these files, in bytes.
    public var bytes: UInt64 = 0
    /// The number of files that stay: missing, changed or not removable.
    public var kept = 0

    mutating func add(_ photos: [CaptureRecord]) {
        files += photos.count
        bytes += photos.reduce(0) { $0 + ($1.bytes ?? 0) }
    }
}

/// Disk space on this computer.
extension UploadService {
    /// Removes the local files of photos that are delivered everywhere. Other files are never removed.
    ///
    /// - Parameters:
    ///   - session: The session, or `nil` for all.
    ///   - savedBefore: The date before which a photo must have been saved.
    ///   - isTrial: Whether to count only.
    public func clearDelivered(session: SessionID?, savedBefore: Date, isTrial: Bool) async throws
        -> ClearedPhotos
    {
        if let session { try await require(session) }
        return try await retention.clearDelivered(
            session: session.map(Optional.some), savedBefore: savedBefore, isTrial: isTrial)
    }

    /// Changes how long a session's photos stay, effective now. `nil` restores the configured rule.
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
