/// A reporter for work of an upload that sends no bytes.
///
/// The runner stops an upload that shows neither progress nor activity for ``UploadTarget/stallSeconds``.
/// Work that sends no bytes therefore reports activity. Examples are reading, hashing or comparing a file,
/// receiving an answer, waiting for bandwidth, and running a program with its own time limit.
public struct UploadActivity: Sendable {
    /// The reporter of the upload that runs in the current task. Outside of an upload, a report does nothing.
    /// Work on another thread gets the reporter from the task that starts it.
    @TaskLocal public static var current: UploadActivity = UploadActivity {}

    /// The longest time between two reports of continuous work.
    static let interval = Duration.seconds(10)

    private let action: @Sendable () -> Void

    /// Creates a reporter.
    ///
    /// - Parameter action: Called for each report, on any thread.
    public init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Reports activity.
    public func report() { action() }

    /// Reports activity regularly while other work runs, such as a program that reports none itself.
    ///
    /// - Parameter limit: The longest time for which the work counts as active, because hung work never ends.
    ///   Time while the computer sleeps does not count.
    /// - Returns: The reporting task. Cancel it when the work has ended.
    public func keepReporting(for limit: Duration) -> Task<Void, Never> {
        Task {
            let end = SuspendingClock.now + limit
            while !Task.isCancelled, SuspendingClock.now < end {
                report()
                try? await Task.sleep(for: Self.interval, clock: .suspending)
            }
        }
    }

    /// Sleeps and reports activity.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(for duration: Duration) async throws {
        var left = duration
        while left > .zero {
            let step = min(left, Self.interval)
            try await Task.sleep(for: step)
            report()
            left -= step
        }
    }
}
