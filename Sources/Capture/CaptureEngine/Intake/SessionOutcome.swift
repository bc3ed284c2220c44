import Cameras

/// How a session goes and why it ends: all that brings its photos over has one. The first reason stands; only a ledger that
/// fails takes its place.
final class SessionOutcome {
    /// Why it ends; `nil` while it goes on.
    private(set) var end: SessionEnd?
    /// Why the ledger cannot be used.
    private(set) var ledgerFailure: (any Error)?
    /// Whether everything was heard that the camera said before its session ended.
    private(set) var hasHeardOut = false
    /// Whether a photo came in.
    private(set) var hasProgress = false
    private var hasBlamed = false

    /// Whether the camera is gone.
    var isLost: Bool { if case .lost = end { true } else { false } }

    /// A photo came in.
    func progressed() { hasProgress = true }

    /// The camera or its worker is gone.
    func lost() { end = end ?? .lost(afterProgress: hasProgress) }

    /// The camera says nothing more.
    func heardOut() {
        hasHeardOut = true
        lost()
    }

    /// Only a new session lists what is missing.
    func relist() { end = end ?? .relist }

    /// The service stops.
    func stop() { end = end ?? .stopping }

    /// The ledger cannot be used: nothing can be taken.
    func ledgerFailed(_ error: any Error) {
        ledgerFailure = error
        end = .lost(afterProgress: hasProgress)
    }

    /// The camera was lost over a photo: every fetch under way fails with the session, and only one can be to blame for it.
    ///
    /// - Returns: whether this one is.
    func blames() -> Bool {
        guard !hasBlamed, end != .stopping else { return false }
        hasBlamed = true
        return true
    }
}
