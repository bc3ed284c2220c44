import FrameFastModel
import Store

/// What people do to a worker, and see of it.
extension UploadWorker {
    /// Stops, or goes on: then with passwords and keys as they are now, whatever was refused before.
    func setPaused(_ paused: Bool) async {
        gate.isPaused = paused
        if paused {
            stopAll()
        } else {
            await target.destination.renew()
            _ = perform(gate.breaker.reset())
            leftovers.retry(at: currentDate())
        }
        bell.ring()
    }

    /// A person changed something: a destination that refused us is tried again.
    func encourage() async {
        if gate.breaker.cause == .refused {
            await target.destination.renew()
            _ = perform(gate.breaker.reset())
        }
        bell.ring()
        await reviewRepeated()
    }

    /// A person changed the place itself: it is tried now, however long it was away.
    func tryNow() { _ = perform(gate.breaker.reset()) }

    /// Ends the upload of a job that is held or dropped.
    func stopUpload(_ id: JobID) { running[id]?.stop() }

    /// Running jobs with their progress.
    var runningJobs: [UploadJob] { running.values.map(\.job).sorted { $0.id < $1.id } }

    var standing: UploadStanding { gate.standing }

    func statistics(_ counts: UploadCounts) -> UploadStatistics {
        var statistics = history.statistics(
            target.name, standing, counts, running: runningJobs, at: currentDate())
        statistics.features = target.memory.capabilities.states(of: target.features)
        statistics.leftovers = LeftoverSum(leftovers.all)
        return statistics
    }
}
