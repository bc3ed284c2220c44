/// Decides when the worker asks a camera how many more shots its buffer takes: during a burst, and once more
/// after the camera had time to write the shots.
struct BurstLook {
    /// The minimum interval between two requests, in milliseconds.
    static let distanceMs: UInt64 = 1_000
    /// The time from a shot to the last request, in milliseconds.
    static let againMs: UInt64 = 3_000

    private var dueMs: UInt64?
    private var shotMs: UInt64 = 0
    private var lookedMs: UInt64?

    /// Records an announced shot.
    mutating func shot(nowMs: UInt64) {
        shotMs = nowMs
        dueMs = max(nowMs, lookedMs.map { $0 + Self.distanceMs } ?? 0)
    }

    /// Returns the milliseconds until the next request, or `nil` for never.
    func delay(nowMs: UInt64) -> UInt64? { dueMs.map { $0 - min($0, nowMs) } }

    /// Records a request.
    mutating func looked(nowMs: UInt64) {
        lookedMs = nowMs
        let again = shotMs + Self.againMs
        dueMs = nowMs < again ? again : nil
    }
}
