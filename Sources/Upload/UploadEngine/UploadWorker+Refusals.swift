import FrameFastModel
import Logging

/// Whom a refusal concerns, and what a destination is found to be like.
extension UploadWorker {
    /// A failure as it is once it is known whom a refusal concerns.
    func judged(_ failure: UploadFailure, _ item: UploadItem) async -> UploadFailure {
        guard case .permanent(let reason) = failure.kind else { return failure }
        guard RefusalRule.scope(reason) == .unclear else { return RefusalRule.judge(failure, .notAsked) }
        // The answer is known.
        if gate.breaker.cause == .refused && !gate.breaker.isTrial {
            return UploadFailure(.refused(reason), failure.sentence, nextStep: failure.nextStep)
        }
        return RefusalRule.judge(failure, await answer(like: item))
    }

    /// Offers the destination a small file, once for all jobs that want to know.
    func answer(like item: UploadItem) async -> RefusalRule.ProbeAnswer {
        let destination = target.destination
        guard destination.takesProbes else { return .notAsked }
        let asked =
            question
            ?? Task {
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

    /// Says once what a template of one's own cannot promise at this place.
    func tellOfNames() async {
        guard target.isNameChosen, !hasToldOfNames,
            let replaces = await target.destination.replacesTakenNames()
        else { return }
        hasToldOfNames = true
        guard replaces else { return }
        ledger.logger.notice(
            "names may be replaced",
            metadata: ["destination": "\(target.name)", "reason": "\(TakenNameAdvice.sentence)"])
    }
}
