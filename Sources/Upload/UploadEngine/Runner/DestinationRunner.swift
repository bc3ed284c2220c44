import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import SystemIO

/// A runner for the uploads to one destination. The runner owns the destination's breaker, pause and
/// leftovers.
actor DestinationRunner {
    /// The time that running uploads may take to finish after the service stops, in seconds.
    static let stopGraceSeconds = 3.0
    /// The time limit for closing connections, in seconds.
    static let closeSeconds = 1.5
    /// The interval between checks whether the network is still metered, in seconds.
    static let meteredCheckSeconds = 30.0
    /// The time between two checks of a stalled attempt that is ending, in seconds.
    private static let endingSeconds = 1.0

    nonisolated let target: UploadTarget
    nonisolated let wakeEvent = AsyncEvent()

    let ledger: QueueLedger
    let files: BlockingPool
    let station: Station
    let sources: SourceWatch
    private let traffic: CaptureTraffic
    private let isMetered: @Sendable () async -> Bool
    let onJobChange: @Sendable (UploadJob, _ photo: CaptureRecord?) -> Void
    private let pace: UploadPace?
    let (endStream, endContinuation) = AsyncStream<Void>.makeStream()
    /// A stream that ends after the last upload. The runner may still be deleting leftovers.
    let (uploadsEndStream, uploadsEndContinuation) = AsyncStream<Void>.makeStream()

    var gate: DestinationGate
    private var captureYield = CaptureYield()
    var history = DeliveryHistory()
    var missingFiles: MissingFilePoll
    private var report: DestinationStateReport
    let refusalClassifier: RefusalClassifier
    var repeated = RepeatedFailure()
    var leftovers = LeftoverQueue()
    /// Whether the runner has restored the leftovers of earlier runs.
    var hasRestoredLeftovers = false
    /// The dropped jobs whose leftovers are not in ``leftovers`` yet.
    nonisolated let droppedJobs = Mutex<[UploadJob]>([])
    /// The task that deletes leftovers. This task runs concurrently with uploads, because a server may
    /// respond slowly.
    var discarding: Task<Void, Never>?
    /// The task that probes the destination. The task is unstructured, because a probe of a hanging network
    /// share may never end.
    private var probing: Task<Void, Never>?
    /// The last resume point of each running attempt. The runner keeps these copies, because the ledger
    /// deletes a dropped job before its attempt ends.
    var resumePoints: [JobID: String] = [:]
    let nameNotice = TakenNameNotice()
    nonisolated let isRetired = Atomic(false)
    /// Whether the location is no longer configured after this runner ends.
    nonisolated let leavesPlace = Atomic(false)
    /// Whether a newer runner with this destination's name uses a different location. If `true`, the ledger's
    /// values for this name belong to the newer runner.
    nonisolated let isSuperseded = Atomic(false)
    /// Whether the runner's last upload has ended.
    var hasEndedUploads = false
    private let attempts: RunningAttempts
    private(set) var endedJobs = EndedJobs()
    var mustWakeWaiting = false
    /// A detector for changes of the system date.
    var clockStepDetector: ClockStepDetector
    /// A detector for sleep of the computer.
    var sleepDetector: SleepDetector
    /// Whether all waiting jobs start now, because the clock was set back.
    var mustWakeAll = false
    /// The pause after this computer has run out of file descriptors, processes or memory.
    var shortage = ShortagePause()

    var clock: HostClock { ledger.clock }

    /// The attempts that run, and the attempts that start soon because their jobs are claimed.
    var running: [JobID: Attempt] { attempts.attempts(of: self) }

    /// - Parameters:
    ///   - attempts: The running attempts of all runners.
    ///   - onJobChange: Called with each job whose state changed in the ledger, and with its photo. The calls
    ///     are in the order of the commits. The closure must return quickly.
    init(
        target: UploadTarget, ledger: QueueLedger, attempts: RunningAttempts, files: BlockingPool,
        station: Station, sources: SourceWatch, traffic: CaptureTraffic = CaptureTraffic(), isPaused: Bool,
        isMetered: @escaping @Sendable () async -> Bool,
        onJobChange: @escaping @Sendable (UploadJob, _ photo: CaptureRecord?) -> Void
    ) {
        self.target = target
        self.ledger = ledger
        self.attempts = attempts
        self.files = files
        self.station = station
        self.sources = sources
        self.traffic = traffic
        gate = DestinationGate(isPaused: isPaused)
        self.isMetered = isMetered
        self.onJobChange = onJobChange
        pace = target.bytesPerSecond.map(UploadPace.init(bytesPerSecond:))
        missingFiles = MissingFilePoll(at: ledger.clock.now())
        clockStepDetector = ClockStepDetector(ledger.clock)
        sleepDetector = SleepDetector(sleptSeconds: ledger.clock.slept())
        report = DestinationStateReport(of: target.name)
        refusalClassifier = RefusalClassifier(target.destination)
        ledger.stop.register(wakeEvent)
    }

    deinit { attempts.removeAll(of: ObjectIdentifier(self)) }

    // MARK: Loop

    /// Runs until the service stops or the runner is retired.
    func run() async {
        await restoreMemory()
        await restoreLeftovers()
        await withDiscardingTaskGroup { group in
            while !isStopping {
                await checkMeteredNetwork()
                await queueRetries()
                await wakeAfterClockStep()
                await retryRestoredFiles()
                startDiscarding()
                if perform(gate.breaker.startProbeIfDue(at: currentDate())) {
                    probing = Task { await probeDestination() }
                }
                updateCaptureYield()
                for claim in await claimUploads() {
                    group.addTask { await self.runUploads(startingWith: claim) }
                }
                stopStalled()
                reportState()
                let wake = await nextWake()
                if isStopping { break }
                await wakeEvent.wait(seconds: wake.map { $0.timeIntervalSince(currentDate()) }, clock)
            }
            await drain()
        }
        // A reload may have replaced this runner between the commit of a drop and the drop's next step.
        await enqueueDropped()
        if leavesPlace.load(ordering: .acquiring) { await discardEverything() }
        if isRetired.load(ordering: .relaxed) {
            for event in report.clearedEvents { ledger.report(event) }
            repeated.removeAll()
            reportRepeatedFailures()
            reportShortage(nil)
        }
        hasEndedUploads = true
        uploadsEndContinuation.finish()
        await discardAbandoned()
        await close()
        endContinuation.finish()
    }

    private var isStopping: Bool {
        ledger.stop.isRaised || Task.isCancelled || isRetired.load(ordering: .relaxed)
    }

    /// Waits for running uploads to finish, then stops them.
    private func drain() async {
        discarding?.cancel()
        probing?.cancel()
        // Uses the real clock, because the queue's clock may not advance while the service stops.
        let real = HostClock.real
        let deadline = real.uptime() + Self.stopGraceSeconds
        while !running.isEmpty, real.uptime() < deadline, !Task.isCancelled {
            await wakeEvent.wait(seconds: deadline - real.uptime(), real)
        }
        for attempt in running.values { attempt.stop() }
        if let probing { await waitForEnd(of: probing, seconds: Self.closeSeconds, .real) }
    }

    private func claimUploads() async -> [ClaimedUpload] {
        let free = startable - running.count
        guard free > 0 else {
            // The gate now blocks all uploads, so the shortage no longer matters. If the shortage continues,
            // the next upload reports it again.
            if allowance == 0, running.isEmpty { reportShortage(nil) }
            return []
        }
        let claims = await commit([], limit: free)
        if shortage.isOn, claims.isEmpty, running.isEmpty, await !hasWaiting() { reportShortage(nil) }
        // The probe succeeded, but no job is ready for a trial.
        if claims.isEmpty, running.isEmpty, gate.breaker.isTrial { _ = perform(gate.breaker.recordSuccess()) }
        return claims
    }

    private var allowance: Int {
        isStopping ? 0 : gate.allowance(workers: target.workers)
    }

    /// The number of uploads that may run.
    private var startable: Int {
        let now = currentDate()
        return shortage.allowance(of: captureYield.allowance(of: allowance, at: now), at: now)
    }

    private func updateCaptureYield() {
        let now = currentDate()
        captureYield.update(
            isCapturing: traffic.isActive(at: now) && DebugSwitches.uploadsYield,
            waitedShare: UploadThread.preferred?.waitedShare,
            workers: target.workers, at: now)
    }

    private func commit(_ outcomes: [LedgerStore.UploadOutcome], limit: Int) async -> [ClaimedUpload] {
        let request =
            limit > 0
            ? LedgerStore.ClaimRequest(destination: target.name, limit: limit, order: target.order) : nil
        let now = currentDate()
        let ended = outcomes.map(\.jobID)
        guard
            let (changes, claimed) = await ledger.withRetries({ store in
                try await store.recordOutcomes(outcomes, claiming: request, at: now) { changes, claimed in
                    self.handleCommit(changes, ended: ended, claimed)
                }
            })
        else {
            attempts.replace(ended, of: self, with: [])
            return []
        }
        for change in changes where change.action != .nothing {
            if change.job.state == .held { endReport(of: [change.job.id]) }
            if change.job.state == .failed { await enqueueLeftover(of: change.job) }
        }
        return claimed
    }

    /// Registers the attempts of claimed jobs, and reports the changes of a commit. Called before the next
    /// commit, which may hold one of these jobs. The hold must find the job's attempt, and the event of the
    /// hold must follow the events of this commit.
    private nonisolated func handleCommit(
        _ changes: [UploadChange], ended: [JobID], _ claimed: [ClaimedUpload]
    ) {
        if !changes.isEmpty { SimulatedHost.pass(.outcomesRecorded) }
        if !claimed.isEmpty { SimulatedHost.pass(.uploadsClaimed) }
        let started = claimed.map { claim in
            Attempt(claim.job, clock: ledger.clock) { [report = ledger.report, photo = claim.photo.record] in
                report(.progress($0, photo: photo))
            }
        }
        attempts.replace(ended, of: self, with: started)
        for change in changes where change.action != .nothing { onJobChange(change.job, change.photo) }
        for claim in claimed { onJobChange(claim.job, claim.photo.record) }
    }

    private func nextWake() async -> Date? {
        let now = currentDate()
        var dates = running.values.map { attempt in
            let stall = attempt.stallDate(after: target.stallSeconds)
            // A stalled attempt was stopped and is still ending. A date in the past would repeat the loop
            // without a pause.
            return stall > now ? stall : now.addingTimeInterval(Self.endingSeconds)
        }
        if let until = gate.breaker.nextProbe { dates.append(until) }
        if let due = missingFiles.due { dates.append(due) }
        // Leftovers are deleted only while uploads may run. A change of the gate signals
        // `wakeEvent`.
        if discarding == nil, gate.allowance(workers: 1) > 0, let due = leftovers.nextTry(at: now) {
            dates.append(due)
        }
        if gate.isHeldByMeter { dates.append(now.addingTimeInterval(Self.meteredCheckSeconds)) }
        if let update = captureYield.nextUpdate(at: now) { dates.append(update) }
        if let end = shortage.endDate(at: now) { dates.append(end) }
        if startable > running.count,
            let due = try? await ledger.store.nextUploadAttempt(destination: target.name)
        {
            dates.append(due)
        }
        return dates.min()
    }

    // MARK: Work

    /// Runs the upload of a job, and then the uploads of the next jobs while the destination works.
    private func runUploads(startingWith first: ClaimedUpload) async {
        var next: ClaimedUpload? = first
        while let claim = next {
            guard let event = await runAttempt(for: claim) else { break }
            next = await finishJob(claim.job, event)
        }
        wakeEvent.signal()
    }

    /// Runs the attempt of a claimed job.
    ///
    /// - Returns: The outcome, or `nil` if an earlier attempt of the job was still ending at the claim.
    private func runAttempt(for claim: ClaimedUpload) async -> UploadJob.Event? {
        guard let attempt = running[claim.job.id], attempt.reserve(for: claim.job) else { return nil }
        for earlier in attempts.earlierAttempts(forPhotoOf: claim.job, by: self) {
            await earlier.waitUntilEnded()
        }
        // A person may have paused the destination since the claim.
        if allowance == 0 { attempt.stop() }
        let (destination, files) = (target.destination, files)
        let item = recordingResumePoints(
            of: UploadItem(claim, to: target, from: station, pace: pace, store: ledger.store))
        let (number, refusals, resets) = (
            refusalClassifier.beginAttempt(), refusalClassifier.refusalCount, gate.breaker.resets
        )
        let outcome = await attempt.run { () async throws(UploadFailure) -> UploadReceipt in
            try await LocalFile.check(claim.photo.record, on: files)
            do throws(UploadFailure) {
                return try await destination.upload(item) { attempt.recordProgress($0) }
            } catch {
                throw await self.classify(error, item, refusalsBefore: refusals, resetsBefore: resets)
            }
        }
        let now = currentDate()
        switch outcome {
        case .success(let receipt):
            return await recordDelivery(receipt, of: item, attempt: number, at: now)
        case .failure(let classified):
            // The breaker may have been reset after the classification.
            let failure = isOutdated(classified, resetsBefore: resets) ? .stopped : classified
            return await recordFailedAttempt(failure, of: claim.job, item.localPath, at: now)
        }
    }

    /// Records the outcome of a job and claims the next job. Other jobs that end at the same time share the
    /// commit.
    private func finishJob(_ job: UploadJob, _ event: UploadJob.Event) async -> ClaimedUpload? {
        endedJobs.add(.init(jobID: job.id, event: event))
        if endedJobs.isCommitting,
            case .recorded(let next) = await endedJobs.addWaiter(job.id).wait()
        {
            return next
        }
        let batch = endedJobs.takeOutcomes()
        updateCaptureYield()
        // The ended attempts occupy their slots until the commit replaces them.
        let limit = min(batch.count, startable - running.count + batch.count)
        let claimed = await commit(batch, limit: limit)
        retryLeftovers(of: batch.map(\.jobID))
        return endedJobs.finishBatch(batch, by: job.id, claimed: claimed)
    }

    private func queueRetries() async {
        guard mustWakeWaiting else { return }
        mustWakeWaiting = false
        let captures = await ledger.withRetries { [name = target.name] in
            try await $0.queueRetries(destination: name, isAfterOutage: true)
        }
        ledger.report(changed: captures ?? [])
    }

    private func reportState() {
        for event in report.events(state, history.lastFailure, at: currentDate()) { ledger.report(event) }
    }

    /// If this destination holds uploads on metered networks, checks whether the network is metered, and
    /// stops uploads on a metered network.
    func checkMeteredNetwork() async {
        guard target.holdsWhenMetered else { return }
        gate.isHeldByMeter = await isMetered()
        if gate.isHeldByMeter { stopAll() }
    }

    private func stopStalled() {
        let now = currentDate()
        for attempt in running.values where attempt.stallDate(after: target.stallSeconds) <= now {
            attempt.stop(as: attempt.stallFailure(after: target.stallSeconds))
        }
    }

    func stopAll() { for attempt in running.values { attempt.stop() } }
}
