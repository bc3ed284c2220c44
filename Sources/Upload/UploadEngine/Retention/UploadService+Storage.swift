public import Foundation
public import FrameFastModel
import Store

/// What a person cleared.
public struct ClearedPhotos: Hashable, Sendable {
    /// Files that are gone, or would be.
    public var files = 0
    /// Bytes that were in them.
    public var bytes: UInt64 = 0
    /// Files that stay: not there, not what was saved, or they cannot be removed.
    public var kept = 0

    mutating func add(_ photos: [CaptureRecord]) {
        files += photos.count
        bytes += photos.reduce(0) { $0 + ($1.bytes ?? 0) }
    }
}

/// Room on this computer.
extension UploadService {
    /// Clears photos that are delivered everywhere; nothing else is ever cleared.
    ///
    /// - Parameters:
    ///   - session: Only of this session; `nil` for all.
    ///   - savedBefore: Only photos that were saved before this moment.
    ///   - isTrial: Only counts what would go.
    public func clearDelivered(session: SessionID?, savedBefore: Date, isTrial: Bool) async throws
        -> ClearedPhotos
    {
        if let session { try await require(session) }
        return try await retention.clearDelivered(
            session: session.map(Optional.some), savedBefore: savedBefore, isTrial: isTrial)
    }

    /// Changes how long a session's photos stay, now; `nil` for what the configuration says.
    public func setRetention(_ rule: RetentionRule?, session: SessionID) async throws {
        guard try await ledger.store.setRetention(rule, session: session) else {
            throw VerbError.noSuchSession(session)
        }
        retention.ruleChanged()
    }

    private func require(_ session: SessionID) async throws {
        guard try await ledger.store.sessionName(session) != nil else {
            throw VerbError.noSuchSession(session)
        }
    }
}
