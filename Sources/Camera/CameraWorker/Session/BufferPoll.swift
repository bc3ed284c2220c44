/// The schedule for reading how many more shots the camera's buffer can hold. The worker reads the number
/// repeatedly during a burst. The last read is after the camera has had time to write the shots.
struct BufferPoll {
    /// The minimum interval between two reads.
    static let interval = Duration.milliseconds(1_000)
    /// The time from the last shot to the last read.
    static let lastReadDelay = Duration.milliseconds(3_000)

    private var due: Instant?
    private var shot = Instant.start
    private var polled: Instant?

    /// Records an announced shot.
    mutating func recordShot(at now: Instant) {
        shot = now
        due = max(now, polled.map { $0 + Self.interval } ?? .start)
    }

    /// Returns the time until the next read, or `nil` if no read is scheduled.
    func delay(at now: Instant) -> Duration? { due.map { now.delay(until: $0) } }

    /// Records that the worker read the number.
    mutating func recordPoll(at now: Instant) {
        polled = now
        let again = shot + Self.lastReadDelay
        due = now < again ? again : nil
    }
}
