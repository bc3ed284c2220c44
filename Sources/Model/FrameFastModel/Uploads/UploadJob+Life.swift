public import FoundationEssentials

/// The state machine of an upload job.
extension UploadJob {
    /// An event that changes a job.
    public enum Event: Hashable, Sendable {
        /// A worker of the destination claimed the job.
        case claimed(at: Date)
        /// This number of bytes was sent to the destination.
        case progressed(bytes: UInt64)
        /// The worker verified the copy at the destination.
        case delivered(Delivery, at: Date)
        /// The attempt failed. `jitter` is a random number, 0..<1.
        case failed(FailedAttempt, at: Date, jitter: Double)
        /// A mode, a rule or a person holds the job.
        case held(UploadHold)
        /// A mode or a person released the job.
        case released(byPerson: Bool)
        /// A person requested an immediate retry.
        case retried
        /// A person moved the job to the front of the queue. The event also releases a held job, and retries
        /// a failed job or a job that waits for its retry.
        case putFirst
        /// The planned time of the retry is reached, or the destination is available again.
        case due
        /// The service restarted while the job was running.
        case recovered
        /// A person cancelled the upload.
        case dropped

        /// Returns the event with its date limited to `now`.
        public func dated(noLaterThan now: Date) -> Event {
            switch self {
            case .claimed(let date): .claimed(at: min(date, now))
            case .delivered(let delivery, let date): .delivered(delivery, at: min(date, now))
            case .failed(let attempt, let date, let jitter):
                .failed(attempt, at: min(date, now), jitter: jitter)
            case .progressed, .held, .released, .retried, .putFirst, .due, .recovered, .dropped: self
            }
        }
    }

    /// The action that the caller performs after an event.
    public enum Action: Hashable, Sendable {
        /// The caller does nothing.
        case nothing
        /// Starts the upload.
        case start
        /// Reports progress, without storing the job.
        case reportProgress
        /// Stores the job.
        case store
        /// Stores the job, and handles ``Event/due`` at this time.
        case retryAt(Date)
        /// Stores the job, and notifies the user.
        case notify
        /// Stores the job, and cancels the running transfer.
        case stop
        /// Deletes the job from the store, and cancels its transfer if one is running.
        case remove
    }

    /// Whether a worker is processing the job.
    public var isRunning: Bool { state == .uploading || state == .verifying }

    /// Applies an event to the job.
    ///
    /// - Returns: The action that the caller must perform.
    public mutating func handle(_ event: Event) -> Action {
        switch event {
        case .claimed(let date): return claim(at: date)
        case .progressed(let bytes): return progress(bytes)
        case .delivered(let delivery, let date): return deliver(delivery, at: date)
        case .failed(let failedAttempt, let date, let jitter):
            return fail(failedAttempt, at: date, jitter: jitter)
        case .held(let hold): return putOnHold(for: hold)
        case .released(let byPerson): return release(byPerson: byPerson)
        case .retried: return retry()
        case .putFirst: return putFirst()
        case .due: return queue(from: [.retrying])
        case .recovered: return requeue()
        case .dropped: return state == .delivered ? .nothing : .remove
        }
    }

    private mutating func claim(at date: Date) -> Action {
        guard state == .queued else { return .nothing }
        state = .uploading
        claimedAt = date
        sentBytes = 0
        return .start
    }

    private mutating func progress(_ sent: UInt64) -> Action {
        guard isRunning else { return .nothing }
        sentBytes = min(sent, bytes)
        state = sent >= bytes ? .verifying : .uploading
        return .reportProgress
    }

    /// Marks the job as delivered, even if a person or a mode held it during the transfer.
    private mutating func deliver(_ delivery: Delivery, at date: Date) -> Action {
        guard state != .delivered else { return .nothing }
        state = .delivered
        hold = nil
        self.delivery = delivery
        deliveredAt = date
        sentBytes = bytes
        failuresInARow = 0
        nextAttemptAt = nil
        resumePoint = nil
        clearFailure()
        return .store
    }

    private mutating func fail(_ failedAttempt: FailedAttempt, at date: Date, jitter: Double) -> Action {
        guard isRunning else { return .nothing }
        var retryAfter: Double?
        switch failedAttempt.kind {
        case .cancelled, .refused: return requeue()
        case .sourceAway: return waitForSource(failedAttempt, at: date)
        case .permanent(let code):
            attempts += 1
            state = .failed
            hold = nil
            nextAttemptAt = nil
            recordFailure(code, failedAttempt)
            return .notify
        case .transient:
            attempts += 1
            recordFailure("transient", failedAttempt)
        case .outage(let seconds):
            retryAfter = seconds
            recordFailure("outage", failedAttempt)
        }
        failuresInARow += 1
        if hold != nil { return requeue() }
        state = .retrying
        let seconds = UploadBackoff.seconds(
            failuresInARow: failuresInARow, retryAfterSeconds: retryAfter, jitter: jitter)
        let retry = date.addingTimeInterval(seconds)
        nextAttemptAt = retry
        return .retryAt(retry)
    }

    /// Schedules a retry without counting an attempt. A missing source file is not a failure of the
    /// destination or the network.
    private mutating func waitForSource(_ failedAttempt: FailedAttempt, at date: Date) -> Action {
        recordFailure(Self.sourceAwayReason, failedAttempt)
        if hold != nil { return requeue() }
        state = .retrying
        let retry = date.addingTimeInterval(UploadBackoff.sourceSeconds)
        nextAttemptAt = retry
        return .retryAt(retry)
    }

    private mutating func putOnHold(for reason: UploadHold) -> Action {
        // A mode does not override a person's decision.
        if reason != .person && (isReleased || hold == .person) { return .nothing }
        guard state != .delivered, hold != reason else { return .nothing }
        // An unsorted job keeps its reason. Otherwise, a release of all jobs would include this job.
        if state == .held && hold == .unsorted { return .nothing }
        // Only a person can hold a failed job.
        if state == .failed && reason != .person { return .nothing }
        hold = reason
        // A mode does not stop a running transfer. The job is held if the running attempt fails.
        if isRunning && reason != .person { return .store }
        let wasRunning = isRunning
        state = .held
        nextAttemptAt = nil
        if reason == .person { isReleased = false }
        return wasRunning ? .stop : .store
    }

    private mutating func release(byPerson: Bool) -> Action {
        guard hold != nil, byPerson || hold != .person else { return .nothing }
        if byPerson { isReleased = true }
        if isRunning {
            hold = nil
            return .store
        }
        return queue(from: [.held])
    }

    /// Queues a job whose attempt ended without delivery, or holds the job if a hold is pending.
    private mutating func requeue() -> Action {
        guard isRunning, hold != nil else { return queue(from: [.uploading, .verifying]) }
        state = .held
        sentBytes = 0
        return .store
    }

    private mutating func retry() -> Action {
        guard state == .failed || state == .retrying else { return .nothing }
        attempts = 0
        failuresInARow = 0
        return queue(from: [.failed, .retrying])
    }

    /// Moves the job to the front of the queue, and releases and retries it. A running job keeps the new
    /// priority for its next attempt.
    private mutating func putFirst() -> Action {
        guard state != .delivered else { return .nothing }
        let before = self
        priority = Self.firstPriority
        isReleased = true
        _ = release(byPerson: true)
        _ = retry()
        return self == before ? .nothing : .store
    }

    private mutating func queue(from states: Set<State>) -> Action {
        guard states.contains(state) else { return .nothing }
        state = .queued
        hold = nil
        nextAttemptAt = nil
        sentBytes = 0
        return .store
    }

    private mutating func recordFailure(_ code: String, _ failedAttempt: FailedAttempt) {
        reason = code
        sentence = failedAttempt.sentence
        nextStep = failedAttempt.nextStep
    }

    private mutating func clearFailure() {
        reason = nil
        sentence = nil
        nextStep = nil
    }
}
