/// The removal of a trial's files, which goes on if the trial was stopped.
enum TrialRemoval {
    /// The longest time that the removal may take after the trial was stopped, in seconds: half of the time that an attempt
    /// has to end.
    private static let seconds = 2.0

    /// Runs a removal to its end, or for some seconds if the trial is stopped.
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
