/// How far an operation is.
public struct CameraOperationProgress: Codable, Hashable, Sendable {
    /// Where it stands.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
        case running
        /// It did all that it was to do.
        case ended
        /// Somebody ended it, or something that goes first.
        case stopped
        /// It cannot go on.
        case failed
    }

    /// What it is.
    public var kind: CameraOperation.Kind
    /// Where it stands.
    public var state: State
    /// Photos that were taken, or frames that were sent.
    public var done: Int
    /// Photos to take in all; `nil` without a number.
    public var total: Int?
    /// The tick that this tells of; `nil` when it tells of none.
    public var tick: IntervalTick?
    /// For how long it has run, in milliseconds: of a bulb how long the shutter was open.
    public var elapsedMs: Int
    /// The time of the next photo of an interval, in milliseconds since 1970, or `nil` if no photo is due.
    public var nextAtMs: Int?
    /// The ``IntervalOrder/epochNs`` of an interval's order, or `nil` for another operation.
    public var epochNs: UInt64?
    /// Why it stopped or failed, in words for a person; `nil` while it runs, and when it did all.
    public var reason: String?

    /// Creates a value.
    public init(
        kind: CameraOperation.Kind, state: State, done: Int = 0, total: Int? = nil,
        tick: IntervalTick? = nil, elapsedMs: Int = 0, nextAtMs: Int? = nil, epochNs: UInt64? = nil,
        reason: String? = nil
    ) {
        self.kind = kind
        self.state = state
        self.done = done
        self.total = total
        self.tick = tick
        self.elapsedMs = elapsedMs
        self.nextAtMs = nextAtMs
        self.epochNs = epochNs
        self.reason = reason
    }
}

extension CameraOperationProgress {
    /// The operation after the connection to its camera ended: what was ordered and did not happen has failed. An interval goes
    /// on with the next connection, and live view begins when somebody looks.
    public var afterSession: CameraOperationProgress? {
        switch (state, kind) {
        case (.running, .interval), (.running, .liveView): return nil
        case (.running, _):
            var progress = self
            progress.state = .failed
            progress.reason = "the connection to the camera ended while it ran"
            return progress
        case (.ended, _), (.stopped, _), (.failed, _): return self
        }
    }
}

/// What became of a tick.
public struct IntervalTick: Codable, Hashable, Sendable {
    /// What became of it.
    public enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        /// The shutter was released.
        case shot
        /// Its time went by before the camera could be asked.
        case missed
        /// The camera said no.
        case refused
    }

    /// Its number, from 0.
    public var number: Int
    /// What became of it.
    public var outcome: Outcome
    /// How long after its time the order went to the camera, in microseconds; 0 when none went.
    public var latenessUs: Int
    /// How long the camera took to answer the order, in microseconds; 0 when none went.
    public var answerUs: Int
    /// Why it was missed or refused, in words for a person.
    public var reason: String?

    /// Creates a value.
    public init(
        number: Int, outcome: Outcome, latenessUs: Int = 0, answerUs: Int = 0, reason: String? = nil
    ) {
        self.number = number
        self.outcome = outcome
        self.latenessUs = latenessUs
        self.answerUs = answerUs
        self.reason = reason
    }
}
