import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization

/// One attempt to upload one photo. An attempt ends after a cancellation, even if the destination ignores the
/// cancellation.
final class Attempt: Sendable {
    /// The time that a stopped attempt waits for the destination, in seconds. After this time, the attempt
    /// ends even if the destination has not responded. A hanging destination must not delay the runner or the
    /// stop of the service.
    static let patienceSeconds = 4.0
    /// The shortest time between two progress reports, in seconds.
    static let reportSeconds = 0.25

    typealias Outcome = Result<UploadReceipt, UploadFailure>

    private struct State {
        var job: UploadJob
        var movedAt: Date
        var reportedAt = Date.distantPast
        var task: Task<Void, Never>?
        var isReserved = false
        var stoppedAs: UploadFailure?
        var isOver = false
    }

    /// The job at the time of its claim.
    let claimed: UploadJob
    private let state: Mutex<State>
    private let outcome = AsyncResult<Outcome>()
    private let clock: HostClock
    private let report: @Sendable (UploadJob) -> Void

    /// - Parameter report: Called with the job's progress while the attempt is locked. Must return quickly.
    init(_ job: UploadJob, clock: HostClock, report: @escaping @Sendable (UploadJob) -> Void) {
        claimed = job
        state = Mutex(State(job: job, movedAt: clock.now()))
        self.clock = clock
        self.report = report
    }

    /// The job with its current progress.
    var job: UploadJob { state.withLock { $0.job } }

    /// The factor that extends the stall limit while the copy is verified. The server may be computing a
    /// checksum.
    private static let verifyingFactor = 5.0

    /// Returns the time at which the attempt counts as stalled. Progress and activity postpone this time.
    ///
    /// - Parameter seconds: See ``UploadTarget/stallSeconds``.
    func stallDate(after seconds: Double) -> Date {
        state.withLock { state in
            let factor = state.job.state == .verifying ? Self.verifyingFactor : 1
            return state.movedAt.addingTimeInterval(seconds * factor)
        }
    }

    /// Returns the failure of a stalled attempt.
    ///
    /// - Parameter seconds: See ``UploadTarget/stallSeconds``.
    func stallFailure(after seconds: Double) -> UploadFailure {
        let outage = UploadFailure.Kind.outage(retryAfterSeconds: nil)
        guard job.state == .verifying else {
            return UploadFailure(
                outage, "The upload showed no progress for \(Int(seconds)) s.", step: .send)
        }
        let limit = Int(seconds * Self.verifyingFactor)
        return UploadFailure(
            outage, "The check of the copy showed no progress for \(limit) s.", step: .readBack)
    }

    /// Records that the destination is active without sending bytes.
    func recordActivity() {
        let now = clock.now()
        state.withLock { $0.movedAt = now }
    }

    /// Restarts the stall timer after a clock step. The next progress is then reported immediately.
    func restartStallTimer() {
        let now = clock.now()
        state.withLock { state in
            state.movedAt = now
            state.reportedAt = .distantPast
        }
    }

    /// Records the number of bytes that the destination has received. Does nothing after a stop: an event
    /// about progress would contradict the event about the held or dropped job.
    func recordProgress(_ bytes: UInt64) {
        let now = clock.now()
        state.withLock { state in
            guard state.stoppedAs == nil else { return }
            if bytes > state.job.sentBytes { state.movedAt = now }
            let before = state.job.state
            _ = state.job.handle(.progressed(bytes: bytes))
            guard
                state.job.state != before || now.timeIntervalSince(state.reportedAt) >= Self.reportSeconds
            else { return }
            state.reportedAt = now
            // The lock prevents a report after a concurrent stop.
            report(state.job)
        }
    }

    /// Reserves the attempt for the task of a claim, which then calls ``run(_:)``.
    ///
    /// - Returns: `false` if the attempt belongs to another claim of the job, or if another task has already
    ///   reserved the attempt.
    func reserve(for job: UploadJob) -> Bool {
        state.withLock { state in
            guard job == claimed, !state.isReserved else { return false }
            state.isReserved = true
            return true
        }
    }

    /// Runs the upload and returns its outcome. If the attempt was stopped before, the upload does not start.
    func run(_ body: @escaping @Sendable () async throws(UploadFailure) -> UploadReceipt) async -> Outcome {
        await withTaskCancellationHandler {
            let stopped = state.withLock { state -> UploadFailure? in
                if let stopped = state.stoppedAs {
                    state.isOver = true
                    return stopped
                }
                // The task is unstructured, because the runner's task would wait for a child task even if the
                // child task hangs.
                state.task = Task(executorPreference: UploadThread.preferred) {
                    let activity = UploadActivity { self.recordActivity() }
                    let outcome = await UploadActivity.$current.withValue(activity) {
                        () async -> Outcome in
                        do throws(UploadFailure) { return .success(try await body()) } catch {
                            return .failure(error)
                        }
                    }
                    self.finish(outcome)
                }
                return nil
            }
            if let stopped {
                outcome.set(.failure(stopped))
                return .failure(stopped)
            }
            if Task.isCancelled { stop() }
            return await outcome.wait()
        } onCancel: {
            stop()
        }
    }

    /// Whether the attempt has ended.
    var hasEnded: Bool { outcome.value != nil }

    /// Waits until the attempt has ended, even if the calling task is cancelled.
    func waitUntilEnded() async { _ = await outcome.wait() }

    /// Stops the attempt.
    ///
    /// - Parameter failure: The outcome if the destination reports only a cancellation, or nothing in time.
    func stop(as failure: UploadFailure = .stopped) {
        let isFirst = state.withLock { state in
            guard state.stoppedAs == nil, !state.isOver else { return false }
            state.stoppedAs = failure
            state.task?.cancel()
            return true
        }
        guard isFirst else { return }
        // This task is unstructured, because `run` must return even if the caller is cancelled. The task uses
        // the real clock, because a destination does not use the queue's clock.
        Task {
            try? await HostClock.real.sleep(Self.patienceSeconds)
            self.finish(.failure(failure))
        }
    }

    private func finish(_ outcome: Outcome) {
        let ending = state.withLock { state -> Outcome? in
            // Without a task, no upload is running: `run` was not called, or the attempt is over.
            guard !state.isOver, state.task != nil else { return nil }
            state.isOver = true
            state.task = nil
            if case .failure(let failure) = outcome, failure.kind == .cancelled, let stopped = state.stoppedAs
            {
                return .failure(stopped)
            }
            return outcome
        }
        if let ending { self.outcome.set(ending) }
    }
}
