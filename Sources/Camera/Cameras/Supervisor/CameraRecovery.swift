import FrameFastModel

/// The recovery state of a camera: the next action, and the objects that the driver must not touch.
struct CameraRecovery: Hashable, Sendable {
    /// The action before the next worker starts.
    var next = RecoveryLadder.Action.reopen
    /// Whether the last attempt to open a session succeeded.
    private(set) var wasConnected = false
    private var ladder = RecoveryLadder()
    private var suspects = SuspectObjects()

    /// The handles of the objects that the driver must not touch.
    var quarantined: [UInt32] { suspects.quarantined }

    /// Whether anything has failed since the last stable session.
    var hasFailed: Bool { ladder.failures >= 1 }

    /// Records that a session started.
    mutating func recordConnection() {
        ladder.mayHaveOpenShutter = false
        suspects.recordConnection()
        wasConnected = true
    }

    /// Records that a session was stable. The next failure starts at the first step of the recovery ladder.
    mutating func recordStableSession() { ladder.reset() }

    /// Records the last operation of a session that ended. After a bulb exposure that did not complete, the
    /// camera is reconnected faster.
    mutating func recordLastOperation(_ operation: CameraOperationProgress?) {
        ladder.mayHaveOpenShutter =
            operation?.kind == .bulb && (operation?.state == .running || operation?.state == .failed)
    }

    /// Records a failure.
    ///
    /// - Returns: The next recovery action.
    mutating func recordFailure(workerIsAlive: Bool) -> RecoveryLadder.Action {
        ladder.nextAction(workerIsAlive: workerIsAlive)
    }

    /// Records an unexpected end of a worker. It counts as a failure, unless one was already counted.
    mutating func recordWorkerEnd() {
        if !hasFailed { next = ladder.nextAction(workerIsAlive: false) }
    }

    /// Records that a worker died while reading an object.
    ///
    /// - Returns: Whether the object is quarantined now.
    mutating func recordDeath(over handle: UInt32) -> Bool { suspects.recordDeath(over: handle) }

    /// Records that no session could be opened.
    mutating func recordAbsence(now: ContinuousClock.Instant = .now) {
        wasConnected = false
        suspects.recordAbsence(now: now)
    }
}
