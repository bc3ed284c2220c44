import Synchronization
import UploadEngine

/// The transfer plan of one destination. The first photo runs a trial to create the plan. A refusal can cause
/// a new trial.
actor TransferPlans {
    /// A plan with its version number.
    struct VersionedPlan: Hashable, Sendable {
        var plan: TransferPlan
        var number: Int
    }

    private var known: VersionedPlan?
    private var number = 0
    private var runningTrial: Task<Result<VersionedPlan, UploadFailure>, Never>?

    /// The activity reporters of the uploads that wait for the running trial.
    private var reports = SharedReports()
    /// The number of uploads that wait for the running trial, and how many of these uploads were cancelled.
    private var (waiting, cancelledCount) = (0, 0)

    /// Whether the server refuses to overwrite existing files, or `nil` before the first trial.
    var refusesTaken: Bool? { known?.plan.refusesTaken }

    /// Returns the current plan. If there is no plan, runs a trial. Concurrent callers share one trial.
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
        let result = await withTaskCancellationHandler {
            await trial.value
        } onCancel: {
            Task { await self.countCancelled(trial) }
        }
        if runningTrial == trial {
            runningTrial = nil
            reports = SharedReports()
            (waiting, cancelledCount) = (0, 0)
            if case .success(let found) = result {
                // An unproven plan applies only to this photo. The next photo runs a new trial.
                known = found.plan.isUnproven ? nil : found
                number = found.number
            }
        }
        return try result.get()
    }

    /// Cancels a trial if all uploads that wait for it were cancelled.
    private func countCancelled(_ trial: Task<Result<VersionedPlan, UploadFailure>, Never>) {
        guard runningTrial == trial else { return }
        cancelledCount += 1
        if cancelledCount == waiting { trial.cancel() }
    }

    /// Discards a plan after a refusal, if it is still the current plan.
    func discard(_ plan: VersionedPlan) { if known == plan { known = nil } }

    /// Discards the plan.
    func reset() { known = nil }

    /// Uploads with the current plan. If the server refuses a step of the plan, runs a new trial. If the new
    /// plan differs, uploads again with the new plan.
    func upload(
        _ find: @escaping @Sendable () async throws(UploadFailure) -> TransferPlan,
        _ upload: @Sendable (TransferPlan) async throws(UploadFailure) -> UploadReceipt
    ) async throws(UploadFailure) -> UploadReceipt {
        let first = try await plan(find)
        do throws(UploadFailure) { return try await upload(first.plan) } catch {
            guard error.mayConcernOneRequest, error.warrantsTrial, !first.plan.isUnproven else { throw error }
            discard(first)
            // After an outage, the step may have succeeded. The next attempt starts at the resume point of
            // this attempt.
            guard !error.isOutage else { throw error }
            let second: VersionedPlan
            do throws(UploadFailure) { second = try await plan(find) } catch let trial {
                // If the trial fails, the server has a problem. The function reports the trial's failure. If
                // that failure is transient, the refusal of the photo says more and is reported instead.
                throw trial.kind == .transient ? error : trial
            }
            guard second.plan != first.plan, !second.plan.isUnproven else { throw error }
            guard !error.mayReuseCopy(first.plan, second.plan) else {
                throw UploadFailure(
                    .transient, error.sentence, nextStep: error.nextStep, step: error.step)
            }
            return try await upload(second.plan)
        }
    }
}

/// The activity reporters of all uploads that wait for the same trial.
private final class SharedReports: Sendable {
    private let all = Mutex<[UploadActivity]>([])

    func add(_ activity: UploadActivity) { all.withLock { $0.append(activity) } }

    func report() { for activity in all.withLock(\.self) { activity.report() } }
}

extension UploadFailure {
    /// Whether a new trial may help. After a broken connection or a damaged transfer, a retry without a trial
    /// is sufficient.
    fileprivate var warrantsTrial: Bool {
        if case .permanent = kind { return true }
        return step == .rename
    }

    /// Returns whether a step after the transfer failed and both plans use the same name for the copy. In
    /// this case, the next attempt continues with the sent bytes.
    fileprivate func mayReuseCopy(_ old: TransferPlan, _ new: TransferPlan) -> Bool {
        step?.comesAfterTransfer == true && old.temporaryName == new.temporaryName
    }
}
