import FrameFastSystem

/// The removal of a trial's files, which continues after the trial was cancelled.
enum TrialRemoval {
    /// The time limit for the removal after a cancellation, in seconds. It is half of the time that a
    /// cancelled attempt has to end.
    private static let seconds = 2.0

    /// Runs a removal. After a cancellation of the task, the removal has a few more seconds before it is
    /// cancelled, too.
    static func run(_ remove: @escaping @Sendable () async -> Void) async {
        let removal = Task { await remove() }
        await withTaskCancellationHandler {
            await removal.value
        } onCancel: {
            Task {
                try? await HostClock.system.sleep(seconds)
                removal.cancel()
            }
        }
    }
}
