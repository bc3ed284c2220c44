public import Foundation

/// Keeps a destination that is away from being run into by every job.
///
/// Closed, all workers go. Open, nobody goes until it is time to ask the destination with a probe. When that answers,
/// one job goes first; when that is delivered, all do.
public struct Breaker: Hashable, Sendable {
    /// How it stands.
    public enum State: Hashable, Sendable {
        /// All workers go.
        case closed
        /// Nobody goes before this moment.
        case open(until: Date)
        /// The destination is being asked.
        case probing
        /// The destination answers: one job tries.
        case trial
        /// The destination refuses us: nobody goes until a person says so.
        case stopped
    }

    /// What follows.
    public enum Action: Hashable, Sendable {
        /// Nothing changed.
        case nothing
        /// The destination went away, or is still away.
        case opened(until: Date)
        /// Ask the destination.
        case probe
        /// It answers: let one job go.
        case tryOne
        /// It is back.
        case closed
        /// It refuses us.
        case stopped
    }

    /// Outages in a row that open it: one may be a connection that was cut.
    public static let outagesToOpen = 3
    /// Refusals in a row that stop it: a wrong password must not fail a thousand jobs.
    public static let refusalsToStop = 3
    /// First time until it is asked, in seconds; doubles.
    public static let firstSeconds = 3.0
    /// Longest time between two probes, in seconds.
    public static let probeMaxSeconds = 30.0
    /// Longest time while probes succeed and jobs do not, in seconds.
    public static let trialMaxSeconds = 120.0

    /// How it stands.
    public private(set) var state = State.closed
    private var outages = 0
    private var refusals = 0
    private var pauses = 0

    /// A closed breaker.
    public init() {}

    /// How many of so many workers may go.
    public func allowance(workers: Int) -> Int {
        switch state {
        case .closed: workers
        case .trial: min(workers, 1)
        case .open, .probing, .stopped: 0
        }
    }

    /// A job was delivered, or its failure was its own and the destination is well.
    public mutating func worked() -> Action {
        outages = 0
        refusals = 0
        guard state != .closed else { return .nothing }
        // One that was on its way while the breaker opened says that the destination is there.
        guard state != .stopped else { return .nothing }
        state = .closed
        pauses = 0
        return .closed
    }

    /// A job met an outage.
    ///
    /// - Parameters:
    ///   - retryAfterSeconds: When the destination said when to come back: that holds for all jobs.
    ///   - jitter: Random, 0..<1.
    public mutating func outage(at now: Date, retryAfterSeconds: Double?, jitter: Double) -> Action {
        switch state {
        case .closed:
            outages += 1
            guard outages >= Self.outagesToOpen || retryAfterSeconds != nil else { return .nothing }
        case .trial: break
        // Said by jobs that were on their way already.
        case .open, .probing, .stopped: return .nothing
        }
        return open(at: now, longest: Self.trialMaxSeconds, retryAfterSeconds: retryAfterSeconds, jitter)
    }

    /// The destination refused us for a reason that concerns every job (password, certificate, settings).
    public mutating func refused() -> Action {
        guard state != .stopped else { return .nothing }
        refusals += 1
        guard refusals >= Self.refusalsToStop || state == .trial else { return .nothing }
        state = .stopped
        return .stopped
    }

    /// The time may have come to ask.
    public mutating func look(at now: Date) -> Action {
        guard case .open(let until) = state else { return .nothing }
        // A clock that was set back must not keep it open for years.
        guard now >= until || until.timeIntervalSince(now) > 3700 else { return .nothing }
        state = .probing
        return .probe
    }

    /// The probe ended.
    public mutating func probed(reached: Bool, at now: Date, jitter: Double) -> Action {
        guard state == .probing else { return .nothing }
        if reached {
            state = .trial
            return .tryOne
        }
        return open(at: now, longest: Self.probeMaxSeconds, retryAfterSeconds: nil, jitter)
    }

    /// A person says that it is well again.
    public mutating func reset() -> Action {
        guard state != .closed else { return .nothing }
        self = Breaker()
        return .closed
    }

    private mutating func open(
        at now: Date, longest: Double, retryAfterSeconds: Double?, _ jitter: Double
    ) -> Action {
        let doubled = min(Self.firstSeconds * Double(1 << min(pauses, 10)), longest)
        let seconds = retryAfterSeconds.map { min($0, 3600) } ?? doubled * (0.5 + jitter / 2)
        pauses += 1
        outages = 0
        let until = now.addingTimeInterval(seconds)
        state = .open(until: until)
        return .opened(until: until)
    }
}
