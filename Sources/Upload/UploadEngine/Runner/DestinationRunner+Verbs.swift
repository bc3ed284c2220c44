import FrameFastModel
import FrameFastSystem
import Store

/// The commands of a person for a runner, and the runner's state for people.
extension DestinationRunner {
    /// Pauses or resumes the destination. Resuming also reads passwords and keys again and closes the
    /// breaker.
    func setPaused(_ paused: Bool) async {
        gate.isPaused = paused
        if paused {
            stopAll()
        } else {
            await target.destination.renewCredentials()
            _ = perform(gate.breaker.reset())
            leftovers.retryAll(at: currentDate())
        }
        wakeEvent.signal()
    }

    /// Retries a destination that refuses all uploads. A person may have fixed the cause.
    func retryIfRefused() async {
        if gate.breaker.cause == .refused {
            await target.destination.renewCredentials()
            _ = perform(gate.breaker.reset())
        }
        wakeEvent.signal()
        await reviewRepeatedFailures()
    }

    /// Retries the destination now, after a person replaced its folder.
    func retryDestination() { _ = perform(gate.breaker.reset()) }

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
