public import Foundation
public import FrameFastModel

/// A circuit breaker for one destination.
///
/// While closed, all jobs run. While open, no job runs until a probe reaches the destination. After a
/// successful probe, one trial job runs. If the trial job is delivered, the breaker closes.
public struct Breaker: Hashable, Sendable {
    /// The reason why the breaker is not closed.
    public enum Cause: Hashable, Sendable {
        /// The destination is unreachable or has an internal problem.
        case away
        /// The destination refuses all uploads until a person fixes the cause. The runner probes at long
        /// intervals, because the fix may happen at the destination.
        case refused
    }

    /// The state of a breaker.
    public enum State: Hashable, Sendable {
        /// All jobs run.
        case closed
        /// No job runs before this time.
        case open(Cause, until: Date)
        /// A probe is running.
        case probing(Cause)
        /// The probe succeeded, and one trial job is running.
        case trial(Cause)
    }

    /// The result of a probe.
    public enum ProbeResult: Hashable, Sendable {
        case reached, away, refused
    }

    /// The action that follows from an event.
    public enum Action: Hashable, Sendable {
        /// No action.
        case nothing
        /// The breaker opened, or a wait was extended.
        case opened(until: Date)
        /// Probe the destination.
        case probe
        /// Run one trial job, because the probe succeeded.
        case tryOne
        /// The breaker closed.
        case closed
    }

    /// The number of consecutive outages that open the breaker. A single outage may be a dropped connection.
    public static let outagesToOpen = 3
    /// The waits between probes of an unreachable destination.
    public static let probeWaits = Backoff(first: .seconds(3), maximum: .seconds(30), spread: 0.5...1)
    /// The waits for the next probe after outages during jobs, for example while probes succeed and trial
    /// jobs fail.
    public static let trialWaits = Backoff(first: .seconds(3), maximum: .seconds(120), spread: 0.5...1)
    /// The waits between probes of a destination that refuses all uploads. With these waits, a wrong password
    /// is sent at most four times in ten minutes. fail2ban blocks a client after five attempts by default.
    public static let refusedWaits = Backoff(
        first: .seconds(120), maximum: .seconds(1800), spread: 1...1.5)
    /// The longest possible wait, in seconds. A longer wait shows that the clock was set back.
    private static let waitMaxSeconds = UploadBackoff.retryAfterMaxSeconds + 60

    /// The current state.
    public private(set) var state = State.closed
    /// The number of resets by a person or after sleep. Failures of attempts that started before the last
    /// reset are outdated.
    public private(set) var resets = 0
    private var outages = 0
    private var pauses = 0

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

    /// Returns the number of concurrent uploads that the breaker allows.
    public func allowance(workers: Int) -> Int {
        switch state {
        case .closed: workers
        case .trial: min(workers, 1)
        case .open, .probing: 0
        }
    }

    /// Records a delivery, or another result that shows that the destination works.
    public mutating func recordSuccess() -> Action {
        outages = 0
        switch state {
        case .closed: return .nothing
        // The job started before the refusal, so its success is outdated.
        case .open(.refused, _), .probing(.refused): return .nothing
        case .open(.away, _), .probing(.away), .trial:
            state = .closed
            pauses = 0
            return .closed
        }
    }

    /// Records an outage during a job.
    ///
    /// - Parameters:
    ///   - retryAfterSeconds: The delay that the destination requested for all jobs, or `nil` if it requested
    ///     no delay.
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
    /// the breaker, because no job is lost by waiting.
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
        // If the clock was set back, the remaining wait may be too long. In this case, the probe starts now.
        guard now >= until || until.timeIntervalSince(now) > Self.waitMaxSeconds else { return .nothing }
        state = .probing(cause)
        return .probe
    }

    /// Records the result of a probe.
    public mutating func recordProbe(_ result: ProbeResult, at now: Date, jitter: Double) -> Action {
        guard case .probing(let cause) = state else { return .nothing }
        switch result {
        case .reached:
            state = .trial(cause)
            return .tryOne
        case .away: return open(.away, at: now, Self.probeWaits, jitter)
        case .refused: return open(.refused, at: now, Self.refusedWaits, jitter)
        }
    }

    /// Moves the end of a wait by a clock step. The wait keeps its length.
    ///
    /// - Parameter seconds: The step in seconds, positive for forward.
    public mutating func shiftTimes(by seconds: Double) {
        if case .open(let cause, let until) = state {
            state = .open(cause, until: until.addingTimeInterval(seconds))
        }
    }

    /// Closes the breaker after a person fixed the destination, or after the computer's sleep.
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
