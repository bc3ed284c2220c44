public import Foundation
public import FrameFastModel

/// A circuit breaker for one destination.
///
/// While closed, all jobs run. While open, no job runs until a probe reaches the destination. After a
/// successful probe, one trial job runs; if it is delivered, the breaker closes.
public struct Breaker: Hashable, Sendable {
    /// The reason why the breaker is not closed.
    public enum Cause: Hashable, Sendable {
        /// The destination can't be reached or has an internal problem.
        case away
        /// The destination refuses all uploads until a person changes something. It is probed at long
        /// intervals, because the cause may be fixed at the destination.
        case refused
    }

    /// The state of a breaker.
    public enum State: Hashable, Sendable {
        /// All jobs run.
        case closed
        /// No job runs before this time.
        case open(Cause, until: Date)
        /// A probe runs.
        case probing(Cause)
        /// The probe succeeded, and one trial job runs.
        case trial(Cause)
    }

    /// The result of a probe.
    public enum ProbeAnswer: Hashable, Sendable {
        case reached, away, refused
    }

    /// The action that follows from an event.
    public enum Action: Hashable, Sendable {
        /// No action.
        case nothing
        /// The breaker opened, or opened again.
        case opened(until: Date)
        /// Probe the destination.
        case probe
        /// The probe succeeded: run one job.
        case tryOne
        /// The breaker closed.
        case closed
    }

    /// The number of consecutive outages that open the breaker. A single one may be a dropped connection.
    public static let outagesToOpen = 3
    /// The waits between two probes of an unreachable destination.
    public static let probeWaits = Backoff(first: .seconds(3), maximum: .seconds(30), spread: 0.5...1)
    /// The waits while probes succeed and jobs fail.
    public static let trialWaits = Backoff(first: .seconds(3), maximum: .seconds(120), spread: 0.5...1)
    /// The waits for a destination that refuses all uploads. Servers lock out a client after five wrong
    /// passwords in ten minutes (fail2ban's default). The waits are never shorter than the backoff, so a
    /// wrong password is sent at most four times in that time.
    public static let refusedWaits = Backoff(
        first: .seconds(120), maximum: .seconds(1800), spread: 1...1.5)
    /// The longest plausible wait, in seconds. A longer one results from a clock that was set back.
    private static let waitMaxSeconds = UploadBackoff.retryAfterMaxSeconds + 60

    /// The current state.
    public private(set) var state = State.closed
    /// The number of times that a person closed the breaker, or the computer woke from sleep. A failure of an
    /// attempt that started before the last reset says nothing about the destination now.
    public private(set) var resets = 0
    private var outages = 0
    private var pauses = 0

    /// Creates a closed breaker.
    public init() {}

    /// The reason why the breaker is not closed, or `nil` if it is closed.
    public var cause: Cause? {
        switch state {
        case .closed: nil
        case .open(let cause, _), .probing(let cause), .trial(let cause): cause
        }
    }

    /// The time of the next probe, or `nil` if the breaker is not open.
    public var nextProbe: Date? { if case .open(_, let until) = state { until } else { nil } }

    /// Whether a trial job runs.
    public var isTrial: Bool { if case .trial = state { true } else { false } }

    /// Returns how many of the destination's concurrent uploads may run.
    public func allowance(workers: Int) -> Int {
        switch state {
        case .closed: workers
        case .trial: min(workers, 1)
        case .open, .probing: 0
        }
    }

    /// Records a delivery, or a failure that shows that the destination works.
    public mutating func recordSuccess() -> Action {
        outages = 0
        switch state {
        case .closed: return .nothing
        // A job that started before says nothing about later refusals.
        case .open(.refused, _), .probing(.refused): return .nothing
        case .open(.away, _), .probing(.away), .trial:
            state = .closed
            pauses = 0
            return .closed
        }
    }

    /// Records an outage that a job met.
    ///
    /// - Parameters:
    ///   - retryAfterSeconds: The wait that the destination asked for, for all jobs, or `nil`.
    ///   - jitter: A random number, 0..<1.
    public mutating func recordOutage(at now: Date, retryAfterSeconds: Double?, jitter: Double) -> Action {
        switch state {
        case .closed:
            outages += 1
            guard outages >= Self.outagesToOpen || retryAfterSeconds != nil else { return .nothing }
        case .trial: break
        // The job started before the breaker opened.
        case .open, .probing: return .nothing
        }
        return open(.away, at: now, Self.trialWaits, retryAfterSeconds: retryAfterSeconds, jitter)
    }

    /// Records a refusal that concerns every job (password, certificate, bucket, quota). One refusal opens
    /// the breaker, because waiting loses no job.
    public mutating func recordRefusal(at now: Date, jitter: Double) -> Action {
        switch state {
        case .closed, .trial: open(.refused, at: now, Self.refusedWaits, jitter)
        // The job started before the breaker opened.
        case .open, .probing: .nothing
        }
    }

    /// Starts a probe if it is due.
    public mutating func startProbeIfDue(at now: Date) -> Action {
        guard case .open(let cause, let until) = state else { return .nothing }
        // A clock that was set back must not keep the breaker open for years.
        guard now >= until || until.timeIntervalSince(now) > Self.waitMaxSeconds else { return .nothing }
        state = .probing(cause)
        return .probe
    }

    /// Records the result of a probe.
    public mutating func recordProbe(_ answer: ProbeAnswer, at now: Date, jitter: Double) -> Action {
        guard case .probing(let cause) = state else { return .nothing }
        switch answer {
        case .reached:
            state = .trial(cause)
            return .tryOne
        case .away: return open(.away, at: now, Self.probeWaits, jitter)
        case .refused: return open(.refused, at: now, Self.refusedWaits, jitter)
        }
    }

    /// Moves the end of a wait by a clock step, so that the wait keeps its length.
    ///
    /// - Parameter seconds: The step in seconds, positive for forward.
    public mutating func shiftTimes(by seconds: Double) {
        if case .open(let cause, let until) = state {
            state = .open(cause, until: until.addingTimeInterval(seconds))
        }
    }

    /// Closes the breaker because a person says that the destination works, or because the computer woke from
    /// sleep.
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
            UploadBackoff.boundedRetryAfter(retryAfterSeconds) ?? waits.wait(after: pauses, chance: jitter)
            / .seconds(1)
        outages = 0
        let until = now.addingTimeInterval(seconds)
        state = .open(cause, until: until)
        return .opened(until: until)
    }
}
