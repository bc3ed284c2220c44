/// Counts the ticks of ``QuietTime``. While something goes on it sleeps a tick; while nothing does, until the next duty, so
/// that an idle camera does not wake the service twice a second.
final class QuietClock {
    /// What there is to do.
    enum Work: Hashable, Sendable {
        /// Something goes on, or waits for something that no event tells of.
        case now
        /// Photos wait for a quieter moment.
        case later
        /// Nothing that time alone does not bring.
        case none
    }

    /// A sleep of many ticks that ends early when something happens.
    private struct LongSleep {
        let task: Task<Void, any Error>
        let ticks: Int
        let start = ContinuousClock.now
        var counted = 0
    }

    /// What to do when, as far as ticks have been counted.
    var time: QuietTime
    private let tick: Duration
    private var longSleep: LongSleep?

    /// - Parameter tick: How long one is.
    init(_ time: QuietTime, tick: Duration) {
        self.time = time
        self.tick = tick
    }

    /// The camera announced something.
    func heard() {
        count()
        time.heard()
    }

    /// Something that the camera announced can only be settled by a new session's list.
    func doubted() {
        count()
        time.doubted()
    }

    /// The computer slept, and what the camera announced during the sleep may be lost.
    func computerSlept() {
        count()
        time.computerSlept()
        endLongSleep()
    }

    /// The card has been listed.
    ///
    /// - Parameter duration: How long that took.
    func listLasted(_ duration: Duration) { time.listLasted(ticks: Int(duration / tick)) }

    /// Something happened: what was to be slept is decided anew.
    func endLongSleep() { longSleep?.task.cancel() }

    /// Sleeps until a tick with a duty, or until the next tick.
    ///
    /// - Parameter work: What there is to do; asked again whenever a long sleep was ended.
    /// - Returns: `false` when the task was cancelled.
    nonisolated(nonsending) func sleep(_ work: () -> Work) async -> Bool {
        while !Task.isCancelled {
            let work = work()
            let ticks = work == .now ? 1 : time.ticksToNextDuty(hasParked: work == .later)
            let task = Task { [tick] in try await Task.sleep(for: tick * ticks) }
            if ticks > 1 { longSleep = LongSleep(task: task, ticks: ticks) }
            let slept = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            count()
            longSleep = nil
            if case .success = slept { return true }
        }
        return false
    }

    /// Counts the ticks of a long sleep that have gone by; the last one is counted with its duty.
    private func count() {
        guard var sleep = longSleep else { return }
        let passed = min(Int(sleep.start.duration(to: .now) / tick), sleep.ticks - 1)
        guard passed > sleep.counted else { return }
        time.rested(passed - sleep.counted)
        sleep.counted = passed
        longSleep = sleep
    }
}
