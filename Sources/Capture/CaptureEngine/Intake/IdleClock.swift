import FrameFastSystem

/// A clock that counts the ticks of ``IdleSchedule``. While the connection has work, the clock sleeps one
/// tick at a time. While the camera is idle, the clock sleeps until the next duty and does not wake the
/// service twice a second.
final class IdleClock {
    /// The kind of work that the connection has.
    enum Work: Hashable, Sendable {
        /// Work is running, or waits for a change that no event announces.
        case now
        /// Photos are parked until an idle moment.
        case later
        /// Only timed duties remain.
        case none
    }

    /// A sleep of several ticks that an event can end early.
    private struct LongSleep {
        let task: Task<Void, any Error>
        let ticks: Int
        /// The uptime at the start, in seconds.
        let start: Double
        var counted = 0
    }

    /// The schedule of duties, up to the last counted tick.
    var schedule: IdleSchedule
    private let tick: Duration
    private let clock: HostClock
    private var longSleep: LongSleep?

    /// - Parameter tick: The duration of one tick.
    init(_ schedule: IdleSchedule, tick: Duration, clock: HostClock) {
        self.schedule = schedule
        self.tick = tick
        self.clock = clock
    }

    /// Records an announcement of the camera.
    func recordAnnouncement() {
        countTicks()
        schedule.recordAnnouncement()
    }

    /// Records that the known facts of an object may be wrong. A new connection must list the card to get the
    /// correct facts.
    func recordDoubt() {
        countTicks()
        schedule.recordDoubt()
    }

    /// Records a dropped announcement. A new connection must list the card to find the object.
    func recordDrop() {
        countTicks()
        schedule.recordDrop()
    }

    /// Records that the computer slept. Announcements during the sleep may be lost.
    func computerSlept() {
        countTicks()
        schedule.computerSlept()
        endLongSleep()
    }

    /// Records that the card was listed.
    ///
    /// - Parameter duration: The duration of the listing.
    func recordListDuration(_ duration: Duration) { schedule.recordListDuration(ticks: Int(duration / tick)) }

    /// Ends a long sleep. ``sleep(_:)`` then computes the next deadline again.
    func endLongSleep() { longSleep?.task.cancel() }

    /// Sleeps until the tick of the next duty, or for one tick while the connection has work.
    ///
    /// - Parameter work: Returns the kind of work. Called again after each interrupted long sleep.
    /// - Returns: `false` if the task was cancelled.
    nonisolated(nonsending) func sleep(_ work: () -> Work) async -> Bool {
        while !Task.isCancelled {
            let work = work()
            let ticks = work == .now ? 1 : schedule.ticksToNextDuty(hasParked: work == .later)
            // Read the clock before the task starts. Otherwise, a delay of this thread would shorten the
            // measured time.
            let start = clock.uptime()
            let task = Task { [tick, clock] in try await clock.sleep(for: tick * ticks) }
            if ticks > 1 { longSleep = LongSleep(task: task, ticks: ticks, start: start) }
            let slept = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            countTicks()
            longSleep = nil
            if case .success = slept { return true }
        }
        return false
    }

    /// Counts the elapsed ticks of a long sleep, except the last tick. ``IdleSchedule/nextDuty()`` counts the
    /// last tick.
    private func countTicks() {
        guard var sleep = longSleep else { return }
        let passed = min(Int(clock.duration(since: sleep.start) / tick), sleep.ticks - 1)
        guard passed > sleep.counted else { return }
        schedule.advance(by: passed - sleep.counted)
        sleep.counted = passed
        longSleep = sleep
    }
}
