public import Foundation
public import FrameFastModel

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
    /// Waits between two probes of a destination that is away.
    public static let probeWaits = Backoff(first: .seconds(3), maximum: .seconds(30), spread: 0.5...1)
    /// Waits while probes succeed and jobs do not.
    public static let trialWaits = Backoff(first: .seconds(3), maximum: .seconds(120), spread: 0.5...1)
    /// Waits for a destination that refuses us: a wrong password is shown at most four times in ten minutes, as servers
    /// lock out who shows it five times (fail2ban's own setting), so they are never shorter than they say.
    public static let refusedWaits = Backoff(
        first: .seconds(120), maximum: .seconds(1800), spread: 1...1.5)
    /// No wait is longer, in seconds: whatever would be was made by a clock that was set back.
    private static let waitMaxSeconds = UploadBackoff.retryAfterMaxSeconds + 60

    /// How it stands.
    public private(set) var state = State.closed
    /// The number of times that a person closed the breaker, or the computer woke from sleep. A failure of an attempt that
    /// started before the last time says nothing about the destination now.
    public private(set) var resets = 0
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
        return open(.away, at: now, Self.trialWaits, retryAfterSeconds: retryAfterSeconds, jitter)
    }

    /// The destination refused us for a reason that concerns every job (password, certificate, bucket, quota). Once is
    /// enough: no job is lost by waiting.
    public mutating func refused(at now: Date, jitter: Double) -> Action {
        switch state {
        case .closed, .trial: open(.refused, at: now, Self.refusedWaits, jitter)
        // Said by jobs that were on their way already.
        case .open, .probing: .nothing
        }
    }

    /// The time may have come to ask.
    public mutating func look(at now: Date) -> Action {
        guard case .open(let cause, let until) = state else { return .nothing }
        // A clock that was set back must not keep it open for years.
        guard now >= until || until.timeIntervalSince(now) > Self.waitMaxSeconds else { return .nothing }
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
        case .away: return open(.away, at: now, Self.probeWaits, jitter)
        case .refused: return open(.refused, at: now, Self.refusedWaits, jitter)
        }
    }

    /// Somebody set the clock: the wait stays as long as it was.
    ///
    /// - Parameter seconds: How far it was set forward.
    public mutating func clockWasSet(by seconds: Double) {
        if case .open(let cause, let until) = state {
            state = .open(cause, until: until.addingTimeInterval(seconds))
        }
    }

    /// Closes the breaker: a person says that the destination is well again, or the computer woke from sleep.
    public mutating func reset() -> Action {
        let (wasClosed, resets) = (state == .closed, resets)
        self = Breaker()
        self.resets = resets + 1
        return wasClosed ? .nothing : .closed
    }

    private mutating func open(
        _ cause: Cause, at now: Date, _ waits: Backoff, retryAfterSeconds: Double? = nil, _ jitter: Double
    ) -> Action {
        if cause != self.cause { pauses = 0 }
        pauses += 1
        let seconds =
            UploadBackoff.asked(retryAfterSeconds) ?? waits.wait(after: pauses, chance: jitter) / .seconds(1)
        outages = 0
        let until = now.addingTimeInterval(seconds)
        state = .open(cause, until: until)
        return .opened(until: until)
    }
}
