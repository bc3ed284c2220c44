/// Whether uploads to a destination may go: what people, the network and the destination itself say.
struct UploadWorkerGate: Hashable, Sendable {
    /// Whether a person stopped it.
    var isPaused: Bool
    /// Whether it waits for a network that does not cost money.
    var isHeldByMeter = false
    /// What came of the attempts.
    var breaker = Breaker()

    init(isPaused: Bool) { self.isPaused = isPaused }

    /// How many of so many workers may go.
    func allowance(workers: Int) -> Int {
        isPaused || isHeldByMeter ? 0 : breaker.allowance(workers: workers)
    }

    /// The same for people: the reason that a person can do most about comes first.
    var standing: UploadStanding {
        if isPaused { return .paused }
        switch breaker.state {
        case .closed: return isHeldByMeter ? .metered : .ready
        case .open, .probing, .trial:
            return breaker.cause == .refused ? .refusing : .away(nextTry: breaker.nextLook)
        }
    }
}
