import FrameFastModel

/// The pause before the next attempt. The pause grows with each failure.
struct RetryPause: Hashable, Sendable {
    private let backoff: Backoff
    private var failures = 0
    /// The uptime at which the pause ends, in seconds.
    private(set) var end = -Double.infinity

    /// Creates a pause without failures.
    init(_ backoff: Backoff) { self.backoff = backoff }

    /// Records a failed attempt, after which the pause begins.
    mutating func recordFailure(at uptime: Double) {
        failures += 1
        end = uptime + backoff.wait(after: failures) / .seconds(1)
    }

    /// Records a successful attempt, which ends the pause. The next pause is as short as the first.
    mutating func recordSuccess() { self = RetryPause(backoff) }

    /// Returns the remaining time of the pause, in seconds, or 0 without a pause.
    func remainingSeconds(at uptime: Double) -> Double { max(0, end - uptime) }
}

/// The pauses of several keys.
struct RetryPauses<Key: Hashable & Sendable>: Sendable {
    /// The largest number of keys. Above this number, the key whose pause ends first is forgotten.
    static var keysMax: Int { 1_000 }

    private let backoff: Backoff
    private var pauses: [Key: RetryPause] = [:]

    /// Creates pauses without keys.
    init(_ backoff: Backoff) { self.backoff = backoff }

    /// Records a failed attempt for a key.
    mutating func recordFailure(of key: Key, at uptime: Double) {
        pauses[key, default: RetryPause(backoff)].recordFailure(at: uptime)
        guard pauses.count > Self.keysMax else { return }
        if let first = pauses.min(by: { $0.value.end < $1.value.end }) { pauses[first.key] = nil }
    }

    /// Records a successful attempt for a key.
    mutating func recordSuccess(of key: Key) { pauses[key] = nil }

    /// Returns the remaining time of a key's pause, in seconds, or 0 without a pause.
    func remainingSeconds(of key: Key, at uptime: Double) -> Double {
        pauses[key]?.remainingSeconds(at: uptime) ?? 0
    }
}
