/// Reports that an upload works, though it sends no bytes.
///
/// A worker ends an upload that shows neither progress nor activity for ``UploadTarget/stallSeconds``. So work that sends
/// nothing reports activity: a file that is read, hashed or compared, an answer of a server, a wait for the destination's
/// share of the line, a program with its own time limit.
public struct UploadActivity: Sendable {
    /// The reports of the upload that the current task works for. Outside of an upload a report does nothing. Work on another
    /// thread gets the value from the task that starts the work.
    @TaskLocal public static var current: UploadActivity = UploadActivity {}

    /// The longest time between two reports of work that lasts.
    static let interval = Duration.seconds(10)

    private let action: @Sendable () -> Void

    /// Creates reports.
    ///
    /// - Parameter action: Called with each report, on any thread.
    public init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Reports activity.
    public func report() { action() }

    /// Reports activity while a piece of work runs that shows none itself, such as a program.
    ///
    /// - Parameter limit: The longest time that the work counts as active, because hung work runs, too. Time during
    ///   which the computer sleeps does not count.
    /// - Returns: A task that reports; cancel it when the work has ended.
    public func keepReporting(for limit: Duration) -> Task<Void, Never> {
        Task {
            let end = SuspendingClock.now + limit
            while !Task.isCancelled, SuspendingClock.now < end {
                report()
                try? await Task.sleep(for: Self.interval, clock: .suspending)
            }
        }
    }

    /// Waits, and reports activity while it waits.
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
