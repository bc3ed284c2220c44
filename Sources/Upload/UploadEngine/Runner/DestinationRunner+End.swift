import FrameFastSystem
import Synchronization

/// Shutdown of a runner and handover to its successor.
extension DestinationRunner {
    /// Ends the runner after its destination was removed from the configuration or changed. Running uploads
    /// have some time to finish.
    ///
    /// - Parameter leavesPlace: Whether the location is no longer configured. If `true`, the runner deletes
    ///   unfinished uploads at the location.
    nonisolated func retire(leavesPlace: Bool = false) {
        self.leavesPlace.store(leavesPlace, ordering: .releasing)
        isRetired.store(true, ordering: .relaxed)
        wakeEvent.signal()
    }

    /// Records that another runner with this name starts, at the same location or at another one.
    nonisolated func recordSuccessor(at place: String) {
        guard place == self.place else { return isSuperseded.store(true, ordering: .releasing) }
        // The successor may resume the files at this location.
        leavesPlace.store(false, ordering: .releasing)
        wakeEvent.signal()
    }

    /// Waits until a successor may start. At the same location, the successor starts after this runner has
    /// ended. At a different location, the successor starts after this runner's last upload. Only one task
    /// may wait for each of these two events.
    nonisolated func waitUntilEnded(for place: String) async {
        if place == self.place {
            for await _ in endStream {}
        } else {
            for await _ in uploadsEndStream {}
        }
    }

    /// Closes connections and ends child processes.
    func close() async {
        let destination = target.destination
        await waitForEnd(of: Task { await destination.close() }, seconds: Self.closeSeconds, .real)
    }

    /// Waits at most `seconds` for a task. A hanging task must not delay the runner's end.
    func waitForEnd(of task: Task<Void, Never>, seconds: Double, _ clock: HostClock) async {
        let done = AsyncEvent()
        // This task is unstructured, because a task group waits for all of its children.
        Task {
            await task.value
            done.signal()
        }
        await done.wait(seconds: seconds, clock)
    }
}
