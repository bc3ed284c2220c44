import FrameFastModel
import FrameFastSystem
import Store

/// The commands that a person gives to a runner, and the state that a person sees.
extension DestinationRunner {
    /// Pauses or resumes the destination. Resuming reads passwords and keys again and closes the breaker.
    func setPaused(_ paused: Bool) async {
        gate.isPaused = paused
        if paused {
            stopAll()
        } else {
            await target.destination.renewCredentials()
            _ = perform(gate.breaker.reset())
            leftovers.retryAll(at: currentDate())
        }
        wakeEvent.ring()
    }

    /// Retries a destination that refuses all uploads, because a person changed something.
    func retryIfRefused() async {
        if gate.breaker.cause == .refused {
            await target.destination.renewCredentials()
            _ = perform(gate.breaker.reset())
        }
        wakeEvent.ring()
        await reviewRepeatedFailures()
    }

    /// Retries the destination now, because a person changed the place.
    func retryDestination() { _ = perform(gate.breaker.reset()) }

    /// Stops the upload of a held or dropped job.
    func stopUpload(_ id: JobID) { running[id]?.stop() }

    /// The running jobs with their progress.
    var runningJobs: [UploadJob] { running.values.map(\.job).sorted { $0.id < $1.id } }

    var state: DestinationState { gate.state }

    func statistics(_ counts: UploadCounts) -> UploadStatistics {
        var statistics = history.statistics(
            target.name, state, counts, running: runningJobs, at: currentDate())
        statistics.features = target.memory.capabilities.states(of: target.features)
        statistics.leftovers = LeftoverSum(leftovers.all)
        return statistics
    }
}
