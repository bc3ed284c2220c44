/// When a camera takes releases of its shutter, and those that wait for that.
struct ReleaseQueue {
    /// Whether the camera has refused a release while the body had the command.
    var needsCommand = false
    private var readyMs: UInt64 = 0
    private var waiting: [UInt64] = []
    /// How often each was refused.
    private var refusals: [UInt64: Int] = [:]

    /// When a release that was refused is tried again, in milliseconds, and how often.
    private static let againMs: UInt64 = 250
    private static let triesMax = 8

    /// The camera takes none before this time.
    mutating func wait(untilMs time: UInt64) { readyMs = time }

    /// A release was ordered.
    ///
    /// - Parameter id: the order, which is kept where it has to wait.
    /// - Returns: whether the shutter may be released now.
    mutating func ordered(_ id: UInt64, nowMs: UInt64) -> Bool {
        if nowMs < readyMs { waiting.append(id) }
        return nowMs >= readyMs
    }

    /// Whether a release was refused before, and is being tried again.
    func isTriedAgain(_ id: UInt64) -> Bool { refusals[id] != nil }

    /// A release was refused, and is worth another try.
    ///
    /// - Returns: false when it has been tried often enough.
    mutating func again(_ id: UInt64, nowMs: UInt64) -> Bool {
        guard refusals[id, default: 0] < Self.triesMax else { return false }
        refusals[id, default: 0] += 1
        waiting.append(id)
        readyMs = nowMs + Self.againMs
        return true
    }

    /// A release was made, or has failed for good.
    mutating func ended(_ id: UInt64) { refusals[id] = nil }

    /// Orders that have waited for long enough, in their order; each is handed out once.
    mutating func due(nowMs: UInt64) -> [UInt64] {
        guard nowMs >= readyMs, !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Milliseconds until those that wait are due; `nil` when none waits.
    func delay(nowMs: UInt64) -> UInt64? { waiting.isEmpty ? nil : readyMs - min(readyMs, nowMs) }
}
