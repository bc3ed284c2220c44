import FrameFastModel
import Synchronization

/// Whom a refusal of a destination concerns: ``RefusalRule``, with the destination's answer where the reason alone does
/// not say. It is asked once for all jobs that want to know at the same time.
actor RefusalJudge {
    private let destination: any UploadDestination
    private var question: Task<RefusalRule.ProbeAnswer, Never>?
    private nonisolated let refusals = Atomic(0)
    /// Attempts that began.
    private nonisolated let attempts = Atomic(0)
    /// The number of the latest attempt that delivered its photo.
    private nonisolated let latestDelivered = Atomic(0)
    /// Photos that were refused and not delivered since, with ``attempts`` at the first time.
    private var refused: [JobID: Int] = [:]
    /// The most photos that are remembered.
    private static let refusedMax = 1000

    init(_ destination: any UploadDestination) { self.destination = destination }

    /// How often the destination was found to refuse everything.
    nonisolated var refusalCount: Int { refusals.load(ordering: .acquiring) }

    /// Records that an attempt began.
    ///
    /// - Returns: Its number.
    nonisolated func began() -> Int { attempts.add(1, ordering: .acquiringAndReleasing).newValue }

    /// Records that an attempt delivered its photo.
    nonisolated func delivered(attempt: Int) { latestDelivered.max(attempt, ordering: .releasing) }

    /// The other photos since this one was refused first. Records that it was refused. Only a delivery that began after the
    /// refusal is a proof: one that was under way may have been taken before the destination began to refuse.
    private func others(than job: JobID) -> RefusalRule.Others {
        let (now, delivered) = (
            attempts.load(ordering: .acquiring), latestDelivered.load(ordering: .acquiring)
        )
        if refused.count >= Self.refusedMax { refused = [:] }
        defer { refused[job] = refused[job] ?? now }
        guard let first = refused[job] else {
            return refused.contains { $0.key != job && $0.value >= delivered } ? .refused : .none
        }
        // Refused once more: the next photo has to tell. Else two bad photos would hold all others.
        return first < delivered ? .delivered : .none
    }

    /// A failure as it is once it is known whom it concerns.
    ///
    /// - Parameters:
    ///   - isRefusing: Whether the destination is known to refuse us: then nobody asks it again.
    ///   - count: ``refusalCount`` when the upload began. Where everything was refused since, a small file that is taken
    ///     now says nothing of this photo: it goes again.
    func judged(
        _ failure: UploadFailure, _ item: UploadItem, isRefusing: Bool, refusalsBefore count: Int
    ) async -> UploadFailure {
        let verdict = await verdict(failure, item, isRefusing: isRefusing)
        switch verdict.kind {
        case .refused: refusals.add(1, ordering: .releasing)
        case .permanent(let reason) where RefusalRule.scope(reason) == .unclear && refusalCount != count:
            return .stopped
        default: break
        }
        return verdict
    }

    private func verdict(_ failure: UploadFailure, _ item: UploadItem, isRefusing: Bool) async
        -> UploadFailure
    {
        guard case .permanent(let reason) = failure.kind else { return failure }
        let scope = RefusalRule.scope(reason)
        guard scope == .unclear || reason == .tooLarge else { return RefusalRule.judge(failure, .notAsked) }
        if isRefusing, scope == .unclear {
            return UploadFailure(
                .refused(reason), failure.sentence, nextStep: failure.nextStep, step: failure.step)
        }
        let answer = await answer(like: item)
        let isFirst = refused[item.jobID] == nil
        let verdict = RefusalRule.judge(
            failure, answer, others: others(than: item.jobID), isFirst: isFirst)
        if case .permanent = verdict.kind { refused[item.jobID] = nil }
        return verdict
    }

    /// What the destination says of a small file.
    private func answer(like item: UploadItem) async -> RefusalRule.ProbeAnswer {
        if destination.refusesSinglePhotos { return .meantForPhoto }
        guard destination.takesProbes else { return .notAsked }
        let asked =
            question
            ?? Task { [destination] in
                do throws(UploadFailure) {
                    try await destination.acceptsProbe(like: item)
                    return .taken
                } catch { return .failed(error) }
            }
        question = asked
        let answer = await asked.value
        if question == asked { question = nil }
        return answer
    }
}
