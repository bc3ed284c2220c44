import FrameFastSystem

/// A reporter for upload work that sends no bytes.
///
/// The runner stops an upload that shows neither progress nor activity for ``UploadTarget/stallSeconds``.
/// Work that sends no bytes must therefore report activity. Examples are hashing a file, receiving a
/// response, waiting for bandwidth, and running a program with its own time limit.
public struct UploadActivity: Sendable {
    /// The reporter of the upload that runs in the current task. Outside of an upload, reports have no
    /// effect. A task that starts work on another thread passes its reporter to that thread.
    @TaskLocal public static var current: UploadActivity = UploadActivity {}

    /// The interval between two reports of continuous work, in seconds.
    static let intervalSeconds = 10.0
    /// The clock for work that does not use the queue's clock, such as programs and servers.
    private static var clock: HostClock { .real }

    private let action: @Sendable () -> Void

    /// Creates a reporter.
    ///
    /// - Parameter action: Called for each report, on any thread.
    public init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Reports activity.
    public func report() { action() }

    /// Reports activity at intervals during work that does not report activity itself, such as a program.
    ///
    /// - Parameter limit: The longest time to report activity. This limit also applies to work that hangs and
    ///   never ends. The time excludes the computer's sleep.
    /// - Returns: The reporting task. Cancel the task when the work ends.
    public func keepReporting(for limit: Duration) -> Task<Void, Never> {
        Task {
            let end = Self.clock.awakeTime() + limit / .seconds(1)
            while !Task.isCancelled, Self.clock.awakeTime() < end {
                report()
                try? await Self.clock.sleepAwake(Self.intervalSeconds)
            }
        }
    }

    /// Sleeps, and reports activity at intervals.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(for duration: Duration) async throws {
        var remaining = duration / .seconds(1)
        while remaining > 0 {
            let step = min(remaining, Self.intervalSeconds)
            try await Self.clock.sleep(step)
            report()
            remaining -= step
        }
    }
}
