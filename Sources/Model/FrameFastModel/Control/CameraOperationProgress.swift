/// The progress of an operation.
public struct CameraOperationProgress: Codable, Hashable, Sendable {
    /// The state of an operation.
    public typealias State = OperationState

    /// The kind of operation.
    public var kind: CameraOperation.Kind
    /// The state.
    public var state: State
    /// The number of photos taken. For live view, the number of frames sent.
    public var done: Int
    /// The total number of photos, or `nil` without a limit.
    public var total: Int?
    /// The tick that this report describes, or `nil` for a report about the whole operation.
    public var tick: IntervalTick?
    /// The elapsed time, in milliseconds. For a bulb exposure, the time for which the shutter was open.
    public var elapsedMs: Int
    /// The date of the next photo of an interval, in milliseconds since 1970, or `nil` if no photo is due.
    /// Only for people, because a person or NTP can change the computer's date after the report.
    public var nextAtMs: Int?
    /// The time of the next photo of an interval, in nanoseconds of CLOCK_BOOTTIME, or `nil` if no photo is
    /// due.
    public var nextNs: UInt64?
    /// The ``IntervalCommand/epochNs`` of the interval, or `nil` for another operation.
    public var epochNs: UInt64?
    /// The failed setting changes of an interval so far, or `nil` if no change failed.
    public var failedChanges: FailedSettingChanges?
    /// The reason why the operation stopped, failed or ended before completing the request, for people; `nil`
    /// if the operation is running or completed.
    public var reason: String?

    /// Creates a progress report.
    public init(
        kind: CameraOperation.Kind, state: State, done: Int = 0, total: Int? = nil,
        tick: IntervalTick? = nil, elapsedMs: Int = 0, nextAtMs: Int? = nil, nextNs: UInt64? = nil,
        epochNs: UInt64? = nil, failedChanges: FailedSettingChanges? = nil, reason: String? = nil
    ) {
        self.kind = kind
        self.state = state
        self.done = done
        self.total = total
        self.tick = tick
        self.elapsedMs = elapsedMs
        self.nextAtMs = nextAtMs
        self.nextNs = nextNs
        self.epochNs = epochNs
        self.failedChanges = failedChanges
        self.reason = reason
    }
}

extension CameraOperationProgress {
    /// The progress after the connection to the camera ended, or `nil` if the operation continues. A running
    /// operation becomes failed, with two exceptions. An interval continues with the next connection, and
    /// live view restarts with the next request for a frame.
    public var afterDisconnection: CameraOperationProgress? {
        switch (state, kind) {
        case (.running, .interval), (.running, .liveView): return nil
        case (.running, _):
            var progress = self
            progress.state = .failed
            progress.reason = "the connection to the camera was lost during the operation"
            return progress
        case (.ended, _), (.stopped, _), (.failed, _): return self
        }
    }
}

/// The result of a tick.
public struct IntervalTick: Codable, Hashable, Sendable {
    /// The outcome of a tick.
    public enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        /// The shutter was released.
        case shot
        /// The worker could not send the command before the next tick.
        case missed
        /// The camera refused to release the shutter.
        case refused
    }

    /// The number of the tick, from 0.
    public var number: Int
    /// The outcome.
    public var outcome: Outcome
    /// The delay of the command to the camera after the tick's time, in microseconds; 0 if no command was
    /// sent.
    public var latenessUs: Int
    /// The time from the command to the camera's response, in microseconds; 0 if no command was sent.
    public var answerUs: Int
    /// The reason for a missed or refused tick, for people.
    public var reason: String?

    /// Creates the result of a tick.
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
