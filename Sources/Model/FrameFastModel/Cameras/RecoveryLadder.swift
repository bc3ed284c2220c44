/// The recovery steps after a camera's connection fails. Each step is more drastic than the previous one. A
/// worker reopens the camera only once, because a faulty process often does not recover. In one field report,
/// a process retried for 19.5 hours, and a new process connected in ten seconds.
public struct RecoveryLadder: Hashable, Sendable {
    /// A recovery step.
    public enum Action: Hashable, Sendable {
        /// Reopens the camera in the same worker.
        case reopen
        /// Ends the worker, and starts another after a pause.
        case freshWorker(after: Duration)
        /// Ends the worker, resets the camera's USB port, and starts another worker after a pause.
        case resetPort(after: Duration)
    }

    /// The number of consecutive failures between two resets of the USB port. After the other failures, the
    /// service reopens the camera or starts a new worker. Some cameras respond only after a reset
    /// (jim-easterbrook/python-gphoto2#167).
    public static let failuresToReset = 4

    /// The number of timeouts at opening after which the service resets the USB port, in addition to the
    /// resets after ``failuresToReset``. After an interrupted data phase, a camera may not respond until it
    /// is reset, and each attempt takes 25 s (libgphoto2#1306).
    public static let openTimeoutsToReset = 2

    /// The pauses between two workers. After a person turns a camera on, the service starts the next worker
    /// within the longest pause.
    public static let pauses = Backoff(first: .milliseconds(250), maximum: .seconds(4))

    /// The longest pause while the shutter may be open. The pause is short, because only the next connection
    /// can close the shutter. After a first failure that ended the worker, the next worker starts without a
    /// pause.
    public static let pauseMaxWithOpenShutter = Duration.milliseconds(250)

    /// The number of failures after which the pauses grow even if the shutter may be open. If each attempt
    /// fails immediately, these attempts take about five minutes. A network router restarts faster. After
    /// five minutes, the camera is probably switched off, and each new worker uses processor time.
    public static let shortPausesMax = 1_000

    /// Whether the shutter may have been open when the connection ended.
    public var mayHaveOpenShutter = false

    /// The number of failures since the last successful connection.
    public private(set) var failures = 0

    /// The number of timeouts at opening since the last successful connection.
    private var openTimeouts = 0

    /// Creates a ladder without failures.
    public init() {}

    /// Resets the number of failures. Called after the camera connected and completed an operation.
    public mutating func reset() { (failures, openTimeouts) = (0, 0) }

    /// Returns the next step after a connection failed or was lost.
    ///
    /// - Parameters:
    ///   - workerIsAlive: Whether the worker process is still usable.
    ///   - openTimedOut: Whether the camera did not respond while the worker opened it.
    public mutating func nextAction(workerIsAlive: Bool, openTimedOut: Bool = false) -> Action {
        failures += 1
        if openTimedOut { openTimeouts += 1 }
        if failures == 1 && workerIsAlive { return .reopen }
        var pause = Self.pauses.wait(after: failures - 1)
        if mayHaveOpenShutter && failures <= Self.shortPausesMax {
            pause = failures == 1 ? .zero : min(pause, Self.pauseMaxWithOpenShutter)
        }
        let isMute = openTimedOut && openTimeouts == Self.openTimeoutsToReset
        return isMute || failures % Self.failuresToReset == 0
            ? .resetPort(after: pause) : .freshWorker(after: pause)
    }
}
