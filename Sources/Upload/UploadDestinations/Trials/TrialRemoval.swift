/// The removal of a trial's files, which continues if the trial is cancelled.
enum TrialRemoval {
    /// The longest time that the removal may take after a cancellation, in seconds. It is half of the time
    /// that a cancelled attempt has to end.
    private static let seconds = 2.0

    /// Runs a removal. If the task is cancelled, the removal gets some more seconds before it is cancelled
    /// too.
    static func run(_ remove: @escaping @Sendable () async -> Void) async {
        let removal = Task { await remove() }
        await withTaskCancellationHandler {
            await removal.value
        } onCancel: {
            Task {
                try? await Task.sleep(for: .seconds(seconds))
                removal.cancel()
            }
        }
    }
}
