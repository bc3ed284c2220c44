public import FoundationEssentials

/// What can happen to a job, and what follows.
extension UploadJob {
    /// What happened.
    public enum Event: Hashable, Sendable {
        /// A worker of the destination took it.
        case claimed(at: Date)
        /// So many bytes are there.
        case progressed(bytes: UInt64)
        /// The copy is there and verified.
        case delivered(Delivery, at: Date)
        /// The try ended without success. `jitter` is random, 0..<1.
        case failed(FailedAttempt, at: Date, jitter: Double)
        /// It is to be held back.
        case held(UploadHold)
        /// It may go: a mode lets it, or a person said so.
        case released(byPerson: Bool)
        /// A person wants it tried again, now.
        case retried
        /// A person wants it before all others, whatever keeps it back.
        case putFirst
        /// The wait is over, or the destination is back.
        case due
        /// The service started: nobody works on it any more.
        case recovered
        /// A person does not want it uploaded.
        case dropped
    }

    /// What is to be done.
    public enum Action: Hashable, Sendable {
        /// Nothing changed.
        case nothing
        /// Upload it.
        case start
        /// Show the progress; nothing to store.
        case show
        /// Store it.
        case store
        /// Store it, and look again at this time.
        case wake(at: Date)
        /// Store it, and tell a person.
        case tell
        /// Store it, and end the transfer that runs.
        case stop
        /// Take it out of the store, and end the transfer when one runs.
        case remove
    }

    /// Whether a worker has it.
    public var isRunning: Bool { state == .uploading || state == .verifying }

    /// Changes the job by what happened.
    public mutating func handle(_ event: Event) -> Action {
        switch event {
        case .claimed(let date): return claim(at: date)
        case .progressed(let bytes): return progress(bytes)
        case .delivered(let delivery, let date): return deliver(delivery, at: date)
        case .failed(let failedAttempt, let date, let jitter):
            return fail(failedAttempt, at: date, jitter: jitter)
        case .held(let hold): return keepBack(hold)
        case .released(let byPerson): return release(byPerson: byPerson)
        case .retried: return retry()
        case .putFirst: return putFirst()
        case .due: return queue(from: [.retrying])
        case .recovered: return giveBack()
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
        return .show
    }

    /// A copy that is there is there, whatever was decided meanwhile.
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
        clearTrouble()
        return .store
    }

    private mutating func fail(_ failedAttempt: FailedAttempt, at date: Date, jitter: Double) -> Action {
        guard isRunning else { return .nothing }
        var retryAfter: Double?
        switch failedAttempt.kind {
        case .cancelled, .refused: return giveBack()
        case .sourceAway: return waitForSource(failedAttempt, at: date)
        case .permanent(let code):
            attempts += 1
            state = .failed
            hold = nil
            nextAttemptAt = nil
            note(code, failedAttempt)
            return .tell
        case .transient:
            attempts += 1
            note("transient", failedAttempt)
        case .outage(let seconds):
            retryAfter = seconds
            note("outage", failedAttempt)
        }
        failuresInARow += 1
        if hold != nil { return giveBack() }
        state = .retrying
        let seconds = UploadBackoff.seconds(
            failuresInARow: failuresInARow, retryAfterSeconds: retryAfter, jitter: jitter)
        let wake = date.addingTimeInterval(seconds)
        nextAttemptAt = wake
        return .wake(at: wake)
    }

    /// No attempt was made: it says nothing of the destination or of the line.
    private mutating func waitForSource(_ failedAttempt: FailedAttempt, at date: Date) -> Action {
        note(Self.sourceAwayReason, failedAttempt)
        if hold != nil { return giveBack() }
        state = .retrying
        let wake = date.addingTimeInterval(UploadBackoff.sourceSeconds)
        nextAttemptAt = wake
        return .wake(at: wake)
    }

    private mutating func keepBack(_ reason: UploadHold) -> Action {
        // A mode does not undo what a person decided.
        if reason != .person && (isReleased || hold == .person) { return .nothing }
        guard state != .delivered, hold != reason else { return .nothing }
        // It would go with the next release of all that a person held.
        if state == .held && hold == .unsorted { return .nothing }
        // What is permanent stays visible as that, unless a person puts it aside.
        if state == .failed && reason != .person { return .nothing }
        hold = reason
        // A mode lets a running transfer end, because stopping it would cost more than it saves: the job is held when
        // this try fails.
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

    /// Nobody works on it any more.
    private mutating func giveBack() -> Action {
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

    /// A release and a retry at once: who asks for a photo does not ask why it waits. One that runs already stays before the
    /// others when its try fails.
    private mutating func putFirst() -> Action {
        guard state != .delivered else { return .nothing }
        let before = self
        priority = UploadModePolicy.firstPriority
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

    private mutating func note(_ code: String, _ failedAttempt: FailedAttempt) {
        reason = code
        sentence = failedAttempt.sentence
        nextStep = failedAttempt.nextStep
    }

    private mutating func clearTrouble() {
        reason = nil
        sentence = nil
        nextStep = nil
    }
}
