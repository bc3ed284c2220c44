/// The schedule for asking a camera how many more shots its buffer takes. The worker asks during a burst, and
/// once more when the camera has had time to write the shots.
struct BufferPoll {
    /// The minimum interval between two requests, in milliseconds.
    static let intervalMs: UInt64 = 1_000
    /// The time from a shot to the last request, in milliseconds.
    static let againMs: UInt64 = 3_000

    private var dueMs: UInt64?
    private var shotMs: UInt64 = 0
    private var polledMs: UInt64?

    /// Records an announced shot.
    mutating func recordShot(nowMs: UInt64) {
        shotMs = nowMs
        dueMs = max(nowMs, polledMs.map { $0 + Self.intervalMs } ?? 0)
    }

    /// Returns the milliseconds until the next request, or `nil` for never.
    func delay(nowMs: UInt64) -> UInt64? { dueMs.map { $0 - min($0, nowMs) } }

    /// Records a request.
    mutating func recordPoll(nowMs: UInt64) {
        polledMs = nowMs
        let again = shotMs + Self.againMs
        dueMs = nowMs < again ? again : nil
    }
}
