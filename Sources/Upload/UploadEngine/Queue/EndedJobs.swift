import FrameFastModel
import FrameFastSystem
import Store

/// The outcomes of ended jobs that are not in the ledger yet, and the tasks that wait for the next commit.
/// Outcomes that arrive during a commit share the next commit. One of the waiting tasks writes this commit.
struct EndedJobs {
    /// The next action of a task whose job has ended.
    enum NextAction: Sendable {
        /// The outcome is in the ledger. The task continues with this job, or ends if the value is `nil`.
        case recorded(ClaimedUpload?)
        /// The task must write all pending outcomes.
        case mustRecord
    }

    private var outcomes: [LedgerStore.UploadOutcome] = []
    private var waiting: [JobID: AsyncResult<NextAction>] = [:]
    /// Whether a task is writing a commit.
    private(set) var isCommitting = false
    /// The jobs of the commit that is being written.
    private var written: Set<JobID> = []

    /// Returns whether the outcome of a job is being written. Its attempt is removed in the commit, before
    /// the runner continues.
    func isBeingWritten(_ id: JobID) -> Bool { written.contains(id) }

    mutating func add(_ outcome: LedgerStore.UploadOutcome) { outcomes.append(outcome) }

    /// Registers the task of an ended job.
    ///
    /// - Returns: A result that delivers the task's next action.
    mutating func addWaiter(_ id: JobID) -> AsyncResult<NextAction> {
        let action = AsyncResult<NextAction>()
        waiting[id] = action
        return action
    }

    /// Removes and returns all pending outcomes for one commit.
    mutating func takeOutcomes() -> [LedgerStore.UploadOutcome] {
        isCommitting = true
        written = Set(outcomes.map(\.jobID))
        defer { outcomes = [] }
        return outcomes
    }

    /// Resumes the tasks whose outcomes were written. If more outcomes are pending, the task of the first
    /// pending outcome writes the next commit.
    ///
    /// - Returns: The next job of the task that wrote the batch.
    mutating func finishBatch(
        _ batch: [LedgerStore.UploadOutcome], by writer: JobID, claimed: [ClaimedUpload]
    ) -> ClaimedUpload? {
        written = []
        var next = claimed.makeIterator()
        let own = next.next()
        for outcome in batch where outcome.jobID != writer {
            waiting.removeValue(forKey: outcome.jobID)?.set(.recorded(next.next()))
        }
        if let first = outcomes.first {
            waiting.removeValue(forKey: first.jobID)?.set(.mustRecord)
        } else {
            isCommitting = false
        }
        return own
    }
}
