/// The schedule for reading how many more shots the camera's buffer can hold. The worker reads the number
/// repeatedly during a burst, and once more after the camera has had time to write the shots.
struct BufferPoll {
    /// The minimum interval between two reads.
    static let interval = Duration.milliseconds(1_000)
    /// The time from the last shot to the last read.
    static let lastReadDelay = Duration.milliseconds(3_000)

    private var lastRead: Instant?

    /// Returns the time of the next read, or `nil` if no read is scheduled.
    ///
    /// - Parameter lastShot: The time of the last announced shot, or `nil` before the first shot.
    func due(lastShot: Instant?) -> Instant? {
        guard let lastShot else { return nil }
        guard let lastRead else { return lastShot }
        if lastRead < lastShot { return max(lastShot, lastRead + Self.interval) }
        let end = lastShot + Self.lastReadDelay
        return lastRead < end ? end : nil
    }

    /// Records that the worker read the number.
    mutating func recordRead(at now: Instant) { lastRead = now }
}
