import Synchronization

/// The end of a worker, and the workers that come after it.
extension UploadWorker {
    /// The configuration has no place for this worker any more: it lets what runs end, and ends.
    ///
    /// - Parameter leavesPlace: Whether the place is no longer configured: then nothing unfinished stays there.
    nonisolated func retire(leavesPlace: Bool = false) {
        self.leavesPlace.store(leavesPlace, ordering: .releasing)
        isRetired.store(true, ordering: .relaxed)
        bell.ring()
    }

    /// Another worker of this name begins, or one at this place.
    nonisolated func isSucceeded(at place: String) {
        guard place == self.place else { return isSuperseded.store(true, ordering: .releasing) }
        // Its uploads may continue what is there.
        leavesPlace.store(false, ordering: .releasing)
        bell.ring()
    }

    /// Returns when a worker at a place may begin: at this worker's own when this one has ended, and at any other when this
    /// one uploads nothing more. One task waits for each.
    nonisolated func hasEnded(for place: String) async {
        if place == self.place {
            for await _ in over {}
        } else {
            for await _ in left {}
        }
    }

    /// Gives back connections and child processes.
    func close() async {
        let destination = target.destination
        await waitForEnd(of: Task { await destination.close() }, seconds: Self.closeSeconds, .system)
    }

    /// Waits for a task, and leaves it to itself after `seconds`: one that hangs must not hold the worker's end.
    func waitForEnd(of task: Task<Void, Never>, seconds: Double, _ clock: UploadClock) async {
        let done = Bell()
        // Not a child: a group waits for all of its children.
        Task {
            await task.value
            done.ring()
        }
        await done.wait(seconds: seconds, clock)
    }
}
