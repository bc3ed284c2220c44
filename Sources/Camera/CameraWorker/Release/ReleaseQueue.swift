/// A queue of shutter releases that wait until the camera accepts them.
struct ReleaseQueue {
    /// Whether the worker must take control from the camera's dials before a release, because the camera has
    /// refused a release.
    var needsControl = false
    private var ready = Instant.start
    /// The time at which a camera that starts slowly can release its shutter.
    private var startEnd = Instant.start
    private var waiting: [UInt64] = []
    /// The number of refusals of each release.
    private var refusals: [UInt64: Int] = [:]

    /// The retry interval after a refusal, and the maximum number of retries.
    private static let retryInterval = Duration.milliseconds(250)
    private static let triesMax = 8

    /// Sets the time at which a camera that starts slowly can release its shutter.
    mutating func pause(until time: Instant) {
        ready = time
        startEnd = time
    }

    /// Returns the time until a camera that starts slowly can release its shutter, or zero if it can release
    /// its shutter now.
    func startDelay(at now: Instant) -> Duration { now.delay(until: startEnd) }

    /// Enqueues a release if it has to wait.
    ///
    /// - Parameter id: The id of the release command.
    /// - Returns: Whether the shutter may be released now.
    mutating func admit(_ id: UInt64, at now: Instant) -> Bool {
        if now < ready { waiting.append(id) }
        return now >= ready
    }

    /// Returns whether the release is a retry.
    func isRetry(_ id: UInt64) -> Bool { refusals[id] != nil }

    /// Enqueues a refused release for a retry.
    ///
    /// - Returns: `false` if the maximum number of retries is reached.
    mutating func retry(_ id: UInt64, at now: Instant) -> Bool {
        guard refusals[id, default: 0] < Self.triesMax else { return false }
        refusals[id, default: 0] += 1
        waiting.append(id)
        ready = now + Self.retryInterval
        return true
    }

    /// Records the final success or failure of a release.
    mutating func complete(_ id: UInt64) { refusals[id] = nil }

    /// Removes and returns the due releases, oldest first.
    mutating func removeDue(at now: Instant) -> [UInt64] {
        guard now >= ready, !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// The time at which the queued releases are due, or `nil` if the queue is empty.
    var due: Instant? { waiting.isEmpty ? nil : ready }
}
