import Cameras

/// The progress and the end of one connection, shared by all parts of an intake. The outcome keeps the first
/// reason for the end. Only a failure of the ledger replaces that reason.
final class ConnectionOutcome {
    /// The reason for the end, or `nil` while the connection runs.
    private(set) var end: ConnectionEnd?
    /// The error of the ledger that ended the connection, or `nil` if the ledger did not end it.
    private(set) var ledgerFailure: (any Error)?
    /// Whether all notices that the camera sent before the connection ended were handled.
    private(set) var hasHandledNotices = false
    /// Whether at least one photo was saved.
    private(set) var hasProgress = false
    private var hasBlamed = false

    /// Whether the connection was lost.
    var isLost: Bool { if case .lost = end { true } else { false } }

    /// Records that a photo was saved.
    func recordProgress() { hasProgress = true }

    /// Ends the connection because the camera or its worker no longer responds.
    func markLost() { end = end ?? .lost(afterProgress: hasProgress) }

    /// Records that the camera sends no more notices, and ends the connection.
    func markNoticesHandled() {
        hasHandledNotices = true
        markLost()
    }

    /// Ends the connection because only a new connection lists the missing objects.
    func requestRelist() { end = end ?? .relist }

    /// Ends the connection because the service stops.
    func markStopping() { end = end ?? .stopping }

    /// Ends the connection because the ledger cannot be used.
    func recordLedgerFailure(_ error: any Error) {
        ledgerFailure = error
        end = .lost(afterProgress: hasProgress)
    }

    /// Decides whether a photo may have caused the loss of the camera. All running fetches fail with the
    /// connection, but only one fetch can be the cause.
    ///
    /// - Returns: `true` for the first call; always `false` while the service is stopping.
    func claimBlame() -> Bool {
        guard !hasBlamed, end != .stopping else { return false }
        hasBlamed = true
        return true
    }
}
