/// What to do next when a camera's session fails. Each step is one more than the last, and none is repeated inside
/// a sick process: a field report has 19.5 hours of retries where a fresh process needed ten seconds.
public struct RecoveryLadder: Hashable, Sendable {
    /// The next step.
    public enum Action: Hashable, Sendable {
        /// Open the camera again in the same worker.
        case reopen
        /// End this worker and start another after a pause.
        case freshWorker(after: Duration)
        /// End this worker, reset the camera's USB port, and start another worker after a pause.
        case resetPort(after: Duration)
        /// The same with the port's power off and on again, where the hub can do that.
        case cyclePower(after: Duration)
    }

    /// Failures in a row after which the USB port is reset, and again after each such number: a fresh worker has been
    /// tried by then, and some bodies only answer after a reset (jim-easterbrook/python-gphoto2#167).
    public static let failuresToReset = 4

    /// Failures in a row after which the port's power is switched off and on, and again after each such number: resets were in
    /// vain by then, and a body that hangs as a whole answers only after its plug was pulled (gphoto/libgphoto2#647).
    public static let failuresToCyclePower = 3 * failuresToReset

    /// Pauses between two workers: a camera that is switched on is found within the longest.
    public static let pauses = Backoff(first: .milliseconds(250), maximum: .seconds(4))

    /// Failures since the camera was last connected.
    public private(set) var failures = 0

    /// A ladder at its foot.
    public init() {}

    /// The camera is connected and did something useful.
    public mutating func connected() { failures = 0 }

    /// A session could not be opened, or was lost.
    ///
    /// - Parameter workerIsAlive: whether the process can be used again.
    public mutating func failed(workerIsAlive: Bool) -> Action {
        failures += 1
        if failures == 1 && workerIsAlive { return .reopen }
        let pause = Self.pauses.wait(after: failures - 1)
        if failures % Self.failuresToCyclePower == 0 { return .cyclePower(after: pause) }
        return failures % Self.failuresToReset == 0
            ? .resetPort(after: pause) : .freshWorker(after: pause)
    }
}
