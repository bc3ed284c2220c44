/// A gate that decides whether uploads to a destination may run. The gate combines a person's pause, the
/// network and the breaker.
struct DestinationGate: Hashable, Sendable {
    /// Whether a person paused the destination.
    var isPaused: Bool
    /// Whether uploads wait for an unmetered network.
    var isHeldByMeter = false
    /// The breaker, which counts the outcomes of attempts.
    var breaker = Breaker()

    init(isPaused: Bool) { self.isPaused = isPaused }

    /// Returns the number of concurrent uploads that may run.
    func allowance(workers: Int) -> Int {
        isPaused || isHeldByMeter ? 0 : breaker.allowance(workers: workers)
    }

    /// The state for people. If several reasons block uploads, the state shows the reason that a person can
    /// remove most easily.
    var state: DestinationState {
        if isPaused { return .paused }
        switch breaker.state {
        case .closed: return isHeldByMeter ? .metered : .ready
        case .open, .probing, .trial:
            return breaker.cause == .refused ? .refusing : .away(nextTry: breaker.nextProbe)
        }
    }
}
