import Foundation
import FrameFastModel
import Synchronization

/// One try to upload one photo: shows how far it is, can be stopped, and ends in any case.
final class Attempt: Sendable {
    /// How long a destination has to end after it was stopped, in seconds: then it is left to itself. A destination
    /// that does not listen must neither hold its worker nor the end of the service.
    static let patienceSeconds = 4.0
    /// Shortest time between two reports of progress, in seconds.
    static let reportSeconds = 0.25

    typealias Outcome = Result<UploadReceipt, UploadFailure>

    private struct State {
        var job: UploadJob
        var movedAt: Date
        var reportedAt = Date.distantPast
        var task: Task<Void, Never>?
        var continuation: CheckedContinuation<Outcome, Never>?
        var stoppedAs: UploadFailure?
        var isOver = false
    }

    private let state: Mutex<State>
    private let clock: UploadClock
    private let report: @Sendable (UploadJob) -> Void

    init(_ job: UploadJob, clock: UploadClock, report: @escaping @Sendable (UploadJob) -> Void) {
        state = Mutex(State(job: job, movedAt: clock.now()))
        self.clock = clock
        self.report = report
    }

    /// The job with its progress.
    var job: UploadJob { state.withLock { $0.job } }

    /// The factor by which a destination may be silent longer while the copy is verified: the server may compute.
    private static let verifyingFactor = 5.0

    /// The time at which the destination has shown no progress and no activity for too long.
    ///
    /// - Parameter seconds: See ``UploadTarget/stallSeconds``.
    func stalls(after seconds: Double) -> Date {
        state.withLock { state in
            let factor = state.job.state == .verifying ? Self.verifyingFactor : 1
            return state.movedAt.addingTimeInterval(seconds * factor)
        }
    }

    /// The failure of an attempt that stalls.
    ///
    /// - Parameter seconds: See ``UploadTarget/stallSeconds``.
    func stall(after seconds: Double) -> UploadFailure {
        let outage = UploadFailure.Kind.outage(retryAfterSeconds: nil)
        guard job.state == .verifying else {
            return UploadFailure(
                outage, "The upload showed no progress for \(Int(seconds)) s.", step: .send)
        }
        let limit = Int(seconds * Self.verifyingFactor)
        return UploadFailure(
            outage, "The check of the copy showed no progress for \(limit) s.", step: .readBack)
    }

    /// Records that the destination works, though it sends no bytes.
    func recordActivity() {
        let now = clock.now()
        state.withLock { $0.movedAt = now }
    }

    /// Somebody set the clock: the destination is silent from now on only, and the next progress is reported.
    func clockWasSet() {
        let now = clock.now()
        state.withLock { state in
            state.movedAt = now
            state.reportedAt = .distantPast
        }
    }

    /// So many bytes are there.
    func progress(_ bytes: UInt64) {
        let now = clock.now()
        let job = state.withLock { state -> UploadJob? in
            if bytes > state.job.sentBytes { state.movedAt = now }
            let before = state.job.state
            _ = state.job.handle(.progressed(bytes: bytes))
            guard
                state.job.state != before || now.timeIntervalSince(state.reportedAt) >= Self.reportSeconds
            else { return nil }
            state.reportedAt = now
            return state.job
        }
        if let job { report(job) }
    }

    /// Runs it to its end.
    func run(_ body: @escaping @Sendable () async throws(UploadFailure) -> UploadReceipt) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.continuation = continuation
                    // Not a child of the worker: a child could not be left to itself.
                    state.task = Task(executorPreference: UploadThread.shared) {
                        let activity = UploadActivity { self.recordActivity() }
                        let outcome = await UploadActivity.$current.withValue(activity) {
                            () async -> Outcome in
                            do throws(UploadFailure) { return .success(try await body()) } catch {
                                return .failure(error)
                            }
                        }
                        self.end(outcome)
                    }
                    if state.stoppedAs != nil { state.task?.cancel() }
                }
                if Task.isCancelled { stop() }
            }
        } onCancel: {
            stop()
        }
    }

    /// Stops it.
    ///
    /// - Parameter failure: What the try is taken for, when the destination says no more than that it was stopped.
    func stop(as failure: UploadFailure = .stopped) {
        let isFirst = state.withLock { state in
            guard state.stoppedAs == nil, !state.isOver else { return false }
            state.stoppedAs = failure
            state.task?.cancel()
            return true
        }
        guard isFirst else { return }
        // Outlives whoever stops, as `run` has to return in any case.
        Task {
            try? await Task.sleep(for: .seconds(Self.patienceSeconds))
            self.end(.failure(failure))
        }
    }

    private func end(_ outcome: Outcome) {
        let ending = state.withLock { state -> (CheckedContinuation<Outcome, Never>, Outcome)? in
            guard !state.isOver, let continuation = state.continuation else { return nil }
            state.isOver = true
            state.continuation = nil
            state.task = nil
            if case .failure(let failure) = outcome, failure.kind == .cancelled, let stopped = state.stoppedAs
            {
                return (continuation, .failure(stopped))
            }
            return (continuation, outcome)
        }
        if let (continuation, outcome) = ending { continuation.resume(returning: outcome) }
    }
}
