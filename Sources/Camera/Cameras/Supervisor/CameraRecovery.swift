import FrameFastModel

/// How far a camera's recovery has come: what is tried next, and which objects the driver is kept away from meanwhile.
struct CameraRecovery: Hashable, Sendable {
    /// What is to be done before the next worker is started.
    var next = RecoveryLadder.Action.reopen
    /// Whether the camera was there until a moment ago.
    private(set) var wasConnected = false
    private var ladder = RecoveryLadder()
    private var suspects = SuspectObjects()

    /// Handles that the driver must not touch.
    var quarantined: [UInt32] { suspects.quarantined }

    /// Whether something failed since the last sound session.
    var hasFailed: Bool { ladder.failures >= 1 }

    /// A session began.
    mutating func connected() {
        suspects.connected()
        wasConnected = true
    }

    /// A session was a sound one: the next failure starts at the ladder's foot.
    mutating func wasSound() { ladder.connected() }

    /// Something failed.
    ///
    /// - Returns: what is to be tried.
    mutating func failed(workerIsAlive: Bool) -> RecoveryLadder.Action {
        ladder.failed(workerIsAlive: workerIsAlive)
    }

    /// A worker ended without being told to: a failure, unless one was counted already.
    mutating func workerEnded() {
        if !hasFailed { next = ladder.failed(workerIsAlive: false) }
    }

    /// A worker died over an object.
    ///
    /// - Returns: whether the object is quarantined now.
    mutating func died(over handle: UInt32) -> Bool { suspects.died(over: handle) }

    /// No session could be opened.
    mutating func cameraIsAway(now: ContinuousClock.Instant = .now) {
        wasConnected = false
        suspects.cameraIsAway(now: now)
    }
}
