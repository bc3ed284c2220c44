/// When a camera takes releases of its shutter, and those that wait for that.
struct ReleaseQueue {
    /// Whether the camera has refused a release while the body had the command.
    var needsCommand = false
    private var readyMs: UInt64 = 0
    private var waiting: [UInt64] = []

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

    /// Orders that have waited for long enough, in their order; each is handed out once.
    mutating func due(nowMs: UInt64) -> [UInt64] {
        guard nowMs >= readyMs, !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Milliseconds until those that wait are due; `nil` when none waits.
    func delay(nowMs: UInt64) -> UInt64? { waiting.isEmpty ? nil : readyMs - min(readyMs, nowMs) }
}
