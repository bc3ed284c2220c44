import Synchronization
import UploadEngine

/// The transfer plan of one destination. The first photo that needs it runs a trial, and a refusal leads to a
/// new trial.
actor TransferPlans {
    /// A plan with its version number.
    struct VersionedPlan: Hashable, Sendable {
        var plan: TransferPlan
        var number: Int
    }

    private var known: VersionedPlan?
    private var number = 0
    private var runningTrial: Task<Result<VersionedPlan, UploadFailure>, Never>?

    /// The activity reports of the uploads that wait for the running trial.
    private var reports = SharedReports()
    /// The number of uploads that wait for the running trial, and the number of them that were cancelled.
    private var (waiting, cancelledCount) = (0, 0)

    /// Whether the server refuses taken names, or `nil` before the first trial.
    var refusesTaken: Bool? { known?.plan.refusesTaken }

    /// Returns the current plan, or runs a trial to find it. Concurrent callers share one trial.
    ///
    /// - Parameter find: Runs the trial.
    func plan(
        _ find: @escaping @Sendable () async throws(UploadFailure) -> TransferPlan
    ) async throws(UploadFailure) -> VersionedPlan {
        if let known { return known }
        reports.add(UploadActivity.current)
        let trial =
            runningTrial
            ?? Task { [number, reports] in
                await UploadActivity.$current.withValue(UploadActivity { reports.report() }) {
                    () async -> Result<VersionedPlan, UploadFailure> in
                    do throws(UploadFailure) {
                        return .success(VersionedPlan(plan: try await find(), number: number + 1))
                    } catch { return .failure(error) }
                }
            }
        runningTrial = trial
        waiting += 1
        let answer = await withTaskCancellationHandler {
            await trial.value
        } onCancel: {
            Task { await self.countCancelled(trial) }
        }
        if runningTrial == trial {
            runningTrial = nil
            reports = SharedReports()
            (waiting, cancelledCount) = (0, 0)
            if case .success(let found) = answer {
                // An unproven plan is valid for this photo only. The next photo runs a new trial.
                known = found.plan.isUnproven ? nil : found
                number = found.number
            }
        }
        return try answer.get()
    }

    /// Cancels a trial when all uploads that wait for it were cancelled.
    private func countCancelled(_ trial: Task<Result<VersionedPlan, UploadFailure>, Never>) {
        guard runningTrial == trial else { return }
        cancelledCount += 1
        if cancelledCount == waiting { trial.cancel() }
    }

    /// Discards a plan after a refusal, unless a newer plan has replaced it.
    func discard(_ plan: VersionedPlan) { if known == plan { known = nil } }

    /// Discards the plan.
    func reset() { known = nil }

    /// Uploads with the current plan. If the server refuses a step of it, this runs a new trial, and uploads
    /// again if the new plan differs.
    func upload(
        _ find: @escaping @Sendable () async throws(UploadFailure) -> TransferPlan,
        _ upload: @Sendable (TransferPlan) async throws(UploadFailure) -> UploadReceipt
    ) async throws(UploadFailure) -> UploadReceipt {
        let first = try await plan(find)
        do throws(UploadFailure) { return try await upload(first.plan) } catch {
            guard error.isOfOneFeature, error.mayBeOfPlan, !first.plan.isUnproven else { throw error }
            discard(first)
            // The step may have succeeded. The next attempt continues from this one's resume point.
            guard !error.isOutage else { throw error }
            let second: VersionedPlan
            do throws(UploadFailure) { second = try await plan(find) } catch let trial {
                // If the trial fails, the problem is the server and not the photo. A temporary failure of the
                // trial's files says less than the refusal.
                throw trial.kind == .transient ? error : trial
            }
            guard second.plan != first.plan, !second.plan.isUnproven else { throw error }
            guard !error.isOfCopy(first.plan, second.plan) else {
                throw UploadFailure(
                    .transient, error.sentence, nextStep: error.nextStep, step: error.step)
            }
            return try await upload(second.plan)
        }
    }
}

/// A group of uploads that wait for the same trial. Activity of the trial counts as activity of each upload.
private final class SharedReports: Sendable {
    private let all = Mutex<[UploadActivity]>([])

    func add(_ activity: UploadActivity) { all.withLock { $0.append(activity) } }

    func report() { for activity in all.withLock(\.self) { activity.report() } }
}

extension UploadFailure {
    /// Whether another plan may help. A broken connection or a changed photo needs only another attempt.
    fileprivate var mayBeOfPlan: Bool {
        if case .permanent = kind { return true }
        return step == .rename
    }

    /// Whether the new plan uses the name of the bytes that were sent. In that case the next attempt
    /// continues with them.
    fileprivate func isOfCopy(_ old: TransferPlan, _ new: TransferPlan) -> Bool {
        step?.comesAfterTransfer == true && old.temporaryName == new.temporaryName
    }
}
