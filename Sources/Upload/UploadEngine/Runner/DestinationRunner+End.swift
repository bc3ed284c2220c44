import FrameFastSystem
import Synchronization

/// The end of a runner, and its successors.
extension DestinationRunner {
    /// Ends the runner because the configuration has removed or changed its destination. Running uploads get
    /// time to finish.
    ///
    /// - Parameter leavesPlace: Whether the place is no longer configured. Then the runner deletes unfinished
    ///   uploads there.
    nonisolated func retire(leavesPlace: Bool = false) {
        self.leavesPlace.store(leavesPlace, ordering: .releasing)
        isRetired.store(true, ordering: .relaxed)
        wakeEvent.ring()
    }

    /// Records that another runner starts with this name or at this place.
    nonisolated func recordSuccessor(at place: String) {
        guard place == self.place else { return isSuperseded.store(true, ordering: .releasing) }
        // The successor's uploads may continue the files at this place.
        leavesPlace.store(false, ordering: .releasing)
        wakeEvent.ring()
    }

    /// Waits until a successor at `place` may start. At the same place, it may start after this runner has
    /// ended. At another place, it may start after this runner's last upload. Only one task may wait for
    /// each.
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
        await waitForEnd(of: Task { await destination.close() }, seconds: Self.closeSeconds, .system)
    }

    /// Waits for a task for at most `seconds`. A task that hangs must not delay the end of the runner.
    func waitForEnd(of task: Task<Void, Never>, seconds: Double, _ clock: UploadClock) async {
        let done = AsyncEvent()
        // The task is unstructured, because a task group waits for all of its children.
        Task {
            await task.value
            done.ring()
        }
        await done.wait(seconds: seconds, clock)
    }
}
