import FrameFastModel
import Store
import Testing

@testable import UploadEngine

/// Tests of the outcomes of ended jobs that share a commit.
struct EndedJobsTests {
    /// The runner does not delete the leftover of such a job. It would otherwise try the deletion twice:
    /// during the commit, and when the end of the commit makes the leftover due.
    @Test func `a job is being written from the start to the end of its commit`() {
        var ended = EndedJobs()
        ended.add(.init(jobID: 1, event: .recovered))
        #expect(!ended.isBeingWritten(1))
        let batch = ended.takeOutcomes()
        ended.add(.init(jobID: 2, event: .recovered))
        #expect(ended.isBeingWritten(1) && !ended.isBeingWritten(2))
        #expect(ended.finishBatch(batch, by: 1, claimed: []) == nil)
        #expect(!ended.isBeingWritten(1))
    }
}
