import FrameFastModel
import Store

/// How jobs ended, as long as that is not written down, and the workers that wait for it. What ends while one commit
/// is being written goes into the next together; one of its workers writes for all.
struct EndedJobs {
    /// What a worker whose job has ended is to do.
    enum Turn: Sendable {
        /// It is written down. Go on with the next job, if there is one.
        case settled(ClaimedUpload?)
        /// Write it down, with what else has ended.
        case settles
    }

    private var outcomes: [LedgerStore.UploadOutcome] = []
    private var waiting: [JobID: CheckedContinuation<Turn, Never>] = [:]
    /// Whether a worker writes now.
    private(set) var isBeingWritten = false

    mutating func add(_ outcome: LedgerStore.UploadOutcome) { outcomes.append(outcome) }

    /// The worker of a job waits for its turn.
    mutating func wait(_ id: JobID, _ continuation: CheckedContinuation<Turn, Never>) {
        waiting[id] = continuation
    }

    /// Everything that is to be written down now.
    mutating func take() -> [LedgerStore.UploadOutcome] {
        isBeingWritten = true
        defer { outcomes = [] }
        return outcomes
    }

    /// A batch is written down: its workers go on, and the first of those whose jobs have ended since then writes.
    ///
    /// - Returns: the next job of the worker that wrote.
    mutating func wrote(
        _ batch: [LedgerStore.UploadOutcome], by writer: JobID, claimed: [ClaimedUpload]
    ) -> ClaimedUpload? {
        var next = claimed.makeIterator()
        let own = next.next()
        for outcome in batch where outcome.jobID != writer {
            waiting.removeValue(forKey: outcome.jobID)?.resume(returning: .settled(next.next()))
        }
        if let first = outcomes.first {
            waiting.removeValue(forKey: first.jobID)?.resume(returning: .settles)
        } else {
            isBeingWritten = false
        }
        return own
    }
}
