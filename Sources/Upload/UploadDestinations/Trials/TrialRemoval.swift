import FrameFastSystem

/// The removal of a trial's files, which continues after the trial was cancelled.
enum TrialRemoval {
    /// The time limit for the removal after a cancellation, in seconds: half of the time that a cancelled
    /// attempt may take to end.
    private static let seconds = 2.0

    /// Runs a removal. If the task is cancelled, the removal continues for a few seconds and is then also
    /// cancelled.
    ///
    /// - Parameter clock: The clock for these seconds.
    static func run(clock: HostClock, _ remove: @escaping @Sendable () async -> Void) async {
        let removal = Task { await remove() }
        await withTaskCancellationHandler {
            await removal.value
        } onCancel: {
            Task {
                try? await clock.sleep(seconds)
                removal.cancel()
            }
        }
    }
}
