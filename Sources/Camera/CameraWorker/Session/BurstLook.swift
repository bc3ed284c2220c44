/// When a camera is asked how many more shots its buffer takes: beside its shots, and once more when it has had time to write
/// them.
struct BurstLook {
    /// It is asked no more often than this during a burst, in milliseconds.
    static let distanceMs: UInt64 = 1_000
    /// From a shot until its camera is asked again, in milliseconds.
    static let againMs: UInt64 = 3_000

    private var dueMs: UInt64?
    private var shotMs: UInt64 = 0
    private var lookedMs: UInt64?

    /// A shot was announced.
    mutating func shot(nowMs: UInt64) {
        shotMs = nowMs
        dueMs = max(nowMs, lookedMs.map { $0 + Self.distanceMs } ?? 0)
    }

    /// Milliseconds until the camera is to be asked; `nil` for not at all.
    func delay(nowMs: UInt64) -> UInt64? { dueMs.map { $0 - min($0, nowMs) } }

    /// It was asked.
    mutating func looked(nowMs: UInt64) {
        lookedMs = nowMs
        let again = shotMs + Self.againMs
        dueMs = nowMs < again ? again : nil
    }
}
