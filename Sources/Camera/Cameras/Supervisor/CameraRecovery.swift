import FrameFastModel

/// The recovery state of a camera: the next action, and the objects that are hidden from the driver.
struct CameraRecovery: Hashable, Sendable {
    /// The action to perform before the next worker starts.
    var next = RecoveryLadder.Action.reopen
    /// Whether a connection was opened after the last call of ``recordAbsence(at:)``.
    private(set) var wasConnected = false
    /// The process ids of the workers in which the driver crashed since the last opened connection, oldest
    /// first.
    private(set) var crashedWorkers: [Int32] = []
    private var ladder = RecoveryLadder()
    private var suspects = SuspectObjects()

    /// The maximum number of workers in ``crashedWorkers``. Only a worker that has opened the camera can
    /// have recorded a change of a setting. If such a worker is dropped, the next worker that opens the
    /// camera may try this change once more.
    private static let crashedWorkersMax = 16

    /// The handles of the objects that are hidden from the driver.
    var quarantined: [UInt32] { suspects.quarantined }

    /// Whether a failure occurred since the last stable connection.
    var hasFailed: Bool { ladder.failures >= 1 }

    /// Records that a connection was opened.
    mutating func recordConnection() {
        suspects.recordConnection()
        crashedWorkers = []
        wasConnected = true
    }

    /// Records that a connection was stable. The next failure starts at the first step of the recovery
    /// ladder.
    mutating func recordStableConnection() { ladder.reset() }

    /// Records the last operation when a connection ended. After a bulb exposure that did not complete, the
    /// camera is reconnected faster.
    ///
    /// - Parameters:
    ///   - before: The last operation when the connection started.
    ///   - wasStable: Whether the connection was stable. After a stable connection, the shutter is closed,
    ///     because the worker closes an open shutter at the start of a connection.
    mutating func recordOperation(
        _ operation: CameraOperationProgress?, before: CameraOperationProgress?, wasStable: Bool
    ) {
        if operation != before {
            ladder.mayHaveOpenShutter =
                operation?.kind == .bulb && (operation?.state == .running || operation?.state == .failed)
        } else if wasStable {
            ladder.mayHaveOpenShutter = false
        }
    }

    /// Records a failure.
    ///
    /// - Parameter openTimedOut: Whether the camera did not respond while the worker opened it.
    /// - Returns: The next recovery action.
    mutating func recordFailure(workerIsAlive: Bool, openTimedOut: Bool = false) -> RecoveryLadder.Action {
        ladder.nextAction(workerIsAlive: workerIsAlive, openTimedOut: openTimedOut)
    }

    /// Records the unexpected end of a worker. If no failure has occurred since the last stable connection,
    /// the end counts as a failure.
    mutating func recordWorkerEnd() {
        if !hasFailed { next = ladder.nextAction(workerIsAlive: false) }
    }

    /// Records that the driver crashed in a worker. If the worker was restoring or automatically changing a
    /// setting at that time, later workers skip this setting.
    mutating func recordCrash(of worker: Int32) {
        crashedWorkers = Array((crashedWorkers + [worker]).suffix(Self.crashedWorkersMax))
    }

    /// Records that a worker died while reading an object.
    ///
    /// - Returns: Whether the object is quarantined now.
    mutating func recordDeath(over handle: UInt32) -> Bool { suspects.recordDeath(over: handle) }

    /// Records that a connection could not be opened.
    ///
    /// - Parameter uptime: The current value of `HostClock.uptime`.
    mutating func recordAbsence(at uptime: Double) {
        wasConnected = false
        suspects.recordAbsence(at: uptime)
    }
}
