/// The schedule for reading how many more shots the camera's buffer can hold. The worker reads the number
/// repeatedly during a burst. The last read is after the camera has had time to write the shots.
struct BufferPoll {
    /// The minimum interval between two reads, in milliseconds.
    static let intervalMs: UInt64 = 1_000
    /// The time from the last shot to the last read, in milliseconds.
    static let lastReadDelayMs: UInt64 = 3_000

    private var dueMs: UInt64?
    private var shotMs: UInt64 = 0
    private var polledMs: UInt64?

    /// Records an announced shot.
    mutating func recordShot(nowMs: UInt64) {
        shotMs = nowMs
        dueMs = max(nowMs, polledMs.map { $0 + Self.intervalMs } ?? 0)
    }

    /// Returns the milliseconds until the next read, or `nil` if no read is scheduled.
    func delay(nowMs: UInt64) -> UInt64? { dueMs.map { $0 - min($0, nowMs) } }

    /// Records that the worker read the number.
    mutating func recordPoll(nowMs: UInt64) {
        polledMs = nowMs
        let again = shotMs + Self.lastReadDelayMs
        dueMs = nowMs < again ? again : nil
    }
}
