import PictureProtocol
import SystemIO

/// The limits of the time that a worker may use for one request.
///
/// Much processor time is the fault of the photo. Much elapsed time may have another cause, such as a slow
/// disk or a busy computer. The limits therefore compare the worker's processor time at regular checks.
struct RequestLimits: Hashable, Sendable {
    /// A limit that a worker exceeded.
    enum ExceededLimit: Hashable, Sendable {
        /// The worker used too much processor time.
        case processorTime
        /// The worker did not run, for example because the disk of the photo does not answer.
        case stalled
        /// The worker ran, but received too little processor time, or read from a slow disk.
        case elapsedTime
    }

    /// The time between two checks, in seconds. A sleeping disk needs up to ten seconds to start.
    static let checkSeconds = Double(12 * DebugSwitches.signOfLifeFactor)
    /// The processor time for one request, in seconds. The worker limits the time of the decoder to half of
    /// this limit.
    static let processorSecondsMax = Double(
        2 * PictureLimits.pictureSecondsMax * DebugSwitches.signOfLifeFactor)
    /// The number of checks after which the request ends.
    static let checksMax = 10
    /// The least processor time that a running worker uses between two checks, in seconds. With its low
    /// priority, a worker on a busy computer receives about a hundredth of a core. A worker that reads from a
    /// slow disk needs a millisecond for some megabytes.
    private static let runningSecondsMin = 0.001

    private let first: Double
    private var last: Double
    private var checks = 0

    /// Creates the limits of a request.
    ///
    /// - Parameter used: The processor time of the worker before the request, in seconds.
    init(used: Double) { (first, last) = (used, used) }

    /// Checks the limits.
    ///
    /// - Parameter used: The processor time of the worker, in seconds.
    /// - Returns: The exceeded limit, or `nil` if the worker may continue.
    mutating func check(used: Double) -> ExceededLimit? {
        defer { last = used }
        checks += 1
        if used - first >= Self.processorSecondsMax { return .processorTime }
        if used - last < Self.runningSecondsMin { return .stalled }
        return checks >= Self.checksMax ? .elapsedTime : nil
    }
}

/// The request that a worker is answering.
struct RunningRequest: Hashable, Sendable {
    private var lastNumber: UInt32 = 0
    private var isRunning = false
    private var exceeded: RequestLimits.ExceededLimit?

    /// Starts a request, and returns its number.
    mutating func start() -> UInt32 {
        lastNumber &+= 1
        (isRunning, exceeded) = (true, nil)
        return lastNumber
    }

    /// Records that a request exceeded a limit.
    ///
    /// - Returns: Whether the worker must be killed. The value is `false` if the request has already ended,
    ///   because the worker may then be answering the request for another photo.
    mutating func recordExceeded(_ exceeded: RequestLimits.ExceededLimit, of number: UInt32) -> Bool {
        guard isRunning, number == lastNumber, self.exceeded == nil else { return false }
        self.exceeded = exceeded
        return true
    }

    /// Ends the request, and returns the limit that it exceeded.
    mutating func finish() -> RequestLimits.ExceededLimit? {
        isRunning = false
        return exceeded
    }
}
