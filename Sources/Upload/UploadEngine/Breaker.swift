public import Foundation

/// Keeps a destination that is away, or refuses us, from being run into by every job.
///
/// Closed, all workers go. Open, nobody goes until it is time to ask the destination with a probe. When that answers,
/// one job goes first; when that is delivered, all do.
public struct Breaker: Hashable, Sendable {
    /// Why it is not closed.
    public enum Cause: Hashable, Sendable {
        /// The destination cannot be reached, or has trouble of its own.
        case away
        /// The destination refuses us: a person has to change something, here or there. It is asked at a slow pace, as
        /// what was wrong may be put right on the other side.
        case refused
    }

    /// How it stands.
    public enum State: Hashable, Sendable {
        /// All workers go.
        case closed
        /// Nobody goes before this moment.
        case open(Cause, until: Date)
        /// The destination is being asked.
        case probing(Cause)
        /// The destination answers: one job tries.
        case trial(Cause)
    }

    /// What a probe met.
    public enum ProbeAnswer: Hashable, Sendable {
        case reached, away, refused
    }

    /// What follows.
    public enum Action: Hashable, Sendable {
        /// Nothing changed.
        case nothing
        /// The destination went away or refused us, or still does.
        case opened(until: Date)
        /// Ask the destination.
        case probe
        /// It answers: let one job go.
        case tryOne
        /// It is back.
        case closed
    }

    /// Outages in a row that open it: one may be a connection that was cut.
    public static let outagesToOpen = 3
    /// First time until it is asked, in seconds; doubles.
    public static let firstSeconds = 3.0
    /// Longest time between two probes, in seconds.
    public static let probeMaxSeconds = 30.0
    /// Longest time while probes succeed and jobs do not, in seconds.
    public static let trialMaxSeconds = 120.0
    /// The same for a destination that refuses us: a wrong password is shown at most four times in ten minutes, as
    /// servers lock out who shows it five times (fail2ban's own setting).
    public static let refusedFirstSeconds = 120.0
    /// Longest time between two questions to a destination that refuses us, in seconds.
    public static let refusedMaxSeconds = 1800.0

    /// How it stands.
    public private(set) var state = State.closed
    private var outages = 0
    private var pauses = 0

    /// A closed breaker.
    public init() {}

    /// Why it is not closed; `nil` when it is.
    public var cause: Cause? {
        switch state {
        case .closed: nil
        case .open(let cause, _), .probing(let cause), .trial(let cause): cause
        }
    }

    /// When the destination is asked next; `nil` while it is asked or tried, and while all is well.
    public var nextLook: Date? { if case .open(_, let until) = state { until } else { nil } }

    /// Whether one job tries.
    public var isTrial: Bool { if case .trial = state { true } else { false } }

    /// How many of so many workers may go.
    public func allowance(workers: Int) -> Int {
        switch state {
        case .closed: workers
        case .trial: min(workers, 1)
        case .open, .probing: 0
        }
    }

    /// A job was delivered, or its failure was its own and the destination is well.
    public mutating func worked() -> Action {
        outages = 0
        switch state {
        case .closed: return .nothing
        // One that was on its way before says nothing of what was refused since.
        case .open(.refused, _), .probing(.refused): return .nothing
        case .open(.away, _), .probing(.away), .trial:
            state = .closed
            pauses = 0
            return .closed
        }
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
        case .open, .probing: return .nothing
        }
        return open(
            .away, at: now, longest: Self.trialMaxSeconds, retryAfterSeconds: retryAfterSeconds, jitter)
    }

    /// The destination refused us for a reason that concerns every job (password, certificate, bucket, quota). Once is
    /// enough: no job is lost by waiting.
    public mutating func refused(at now: Date, jitter: Double) -> Action {
        switch state {
        case .closed, .trial: open(.refused, at: now, longest: Self.refusedMaxSeconds, jitter)
        // Said by jobs that were on their way already.
        case .open, .probing: .nothing
        }
    }

    /// The time may have come to ask.
    public mutating func look(at now: Date) -> Action {
        guard case .open(let cause, let until) = state else { return .nothing }
        // A clock that was set back must not keep it open for years.
        guard now >= until || until.timeIntervalSince(now) > 3700 else { return .nothing }
        state = .probing(cause)
        return .probe
    }

    /// The probe ended.
    public mutating func probed(_ answer: ProbeAnswer, at now: Date, jitter: Double) -> Action {
        guard case .probing(let cause) = state else { return .nothing }
        switch answer {
        case .reached:
            state = .trial(cause)
            return .tryOne
        case .away: return open(.away, at: now, longest: Self.probeMaxSeconds, jitter)
        case .refused: return open(.refused, at: now, longest: Self.refusedMaxSeconds, jitter)
        }
    }

    /// A person says that it is well again.
    public mutating func reset() -> Action {
        guard state != .closed else { return .nothing }
        self = Breaker()
        return .closed
    }

    private mutating func open(
        _ cause: Cause, at now: Date, longest: Double, retryAfterSeconds: Double? = nil, _ jitter: Double
    ) -> Action {
        if cause != self.cause { pauses = 0 }
        let first = cause == .refused ? Self.refusedFirstSeconds : Self.firstSeconds
        let doubled = min(first * Double(1 << min(pauses, 10)), longest)
        let spread = cause == .refused ? 1 + jitter / 2 : 0.5 + jitter / 2
        let seconds = retryAfterSeconds.map { min($0, 3600) } ?? doubled * spread
        pauses += 1
        outages = 0
        let until = now.addingTimeInterval(seconds)
        state = .open(cause, until: until)
        return .opened(until: until)
    }
}
