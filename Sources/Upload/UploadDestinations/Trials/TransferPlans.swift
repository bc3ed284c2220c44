import Synchronization
import UploadEngine

/// The plan of one destination: found once by the first photo that needs it, and again after a refusal.
actor TransferPlans {
    /// A plan with its number: a later one replaces it.
    struct Numbered: Hashable, Sendable {
        var plan: TransferPlan
        var number: Int
    }

    private var known: Numbered?
    private var number = 0
    private var asked: Task<Result<Numbered, UploadFailure>, Never>?

    /// The reports of the uploads that wait for the trial under way.
    private var reports = SharedReports()
    /// The uploads that wait for the trial under way, and those of them that were cancelled.
    private var (waiting, left) = (0, 0)

    /// What was found out about taken names; `nil` before.
    var refusesTaken: Bool? { known?.plan.refusesTaken }

    /// The plan for the next photo.
    ///
    /// - Parameter find: Tries the server out.
    func plan(
        _ find: @escaping @Sendable () async throws(UploadFailure) -> TransferPlan
    ) async throws(UploadFailure) -> Numbered {
        if let known { return known }
        reports.add(UploadActivity.current)
        let question =
            asked
            ?? Task { [number, reports] in
                await UploadActivity.$current.withValue(UploadActivity { reports.report() }) {
                    () async -> Result<Numbered, UploadFailure> in
                    do throws(UploadFailure) {
                        return .success(Numbered(plan: try await find(), number: number + 1))
                    } catch { return .failure(error) }
                }
            }
        asked = question
        waiting += 1
        let answer = await withTaskCancellationHandler {
            await question.value
        } onCancel: {
            Task { await self.leave(question) }
        }
        if asked == question {
            asked = nil
            reports = SharedReports()
            (waiting, left) = (0, 0)
            if case .success(let found) = answer {
                // An unproven plan is for this photo; the next one asks again.
                known = found.plan.isUnproven ? nil : found
                number = found.number
            }
        }
        return try answer.get()
    }

    /// Ends a trial that no upload waits for any more.
    private func leave(_ question: Task<Result<Numbered, UploadFailure>, Never>) {
        guard asked == question else { return }
        left += 1
        if left == waiting { question.cancel() }
    }

    /// Forgets a plan that was refused, unless another photo has replaced it already.
    func forget(_ plan: Numbered) { if known == plan { known = nil } }

    /// Forgets the plan.
    func reset() { known = nil }

    /// Uploads by the plan; if the server refuses a step of it, tries the server out again, and uploads by the new plan if
    /// that is another one.
    func upload(
        _ find: @escaping @Sendable () async throws(UploadFailure) -> TransferPlan,
        _ upload: @Sendable (TransferPlan) async throws(UploadFailure) -> UploadReceipt
    ) async throws(UploadFailure) -> UploadReceipt {
        let first = try await plan(find)
        do throws(UploadFailure) { return try await upload(first.plan) } catch {
            guard error.isOfOneFeature, error.mayBeOfPlan, !first.plan.isUnproven else { throw error }
            forget(first)
            // The step may have gone through: the next attempt begins with what this one noted.
            guard !error.isOutage else { throw error }
            let second: Numbered
            do throws(UploadFailure) { second = try await plan(find) } catch let trial {
                // If the trial fails, the server is the matter, and not the photo. Trouble with the trial's files alone says
                // less than the refusal.
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

/// The reports of all uploads that wait for the same trial: its activity is theirs.
private final class SharedReports: Sendable {
    private let all = Mutex<[UploadActivity]>([])

    func add(_ activity: UploadActivity) { all.withLock { $0.append(activity) } }

    func report() { for activity in all.withLock(\.self) { activity.report() } }
}

extension UploadFailure {
    /// Whether another plan may help: a broken line or a photo that arrived changed goes again as it is.
    fileprivate var mayBeOfPlan: Bool {
        if case .permanent = kind { return true }
        return step == .rename
    }

    /// Whether the bytes are under a name that the new plan uses, too: then the next attempt goes on behind them.
    fileprivate func isOfCopy(_ old: TransferPlan, _ new: TransferPlan) -> Bool {
        step?.comesAfterTransfer == true && old.temporaryName == new.temporaryName
    }
}
