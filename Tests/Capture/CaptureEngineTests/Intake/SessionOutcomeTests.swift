import Cameras
import Testing

@testable import CaptureEngine

@Suite struct SessionOutcomeTests {
    private struct LedgerGone: Error {}

    @Test func `the first reason stands`() {
        let lost = SessionOutcome()
        lost.markLost()
        lost.recordProgress()
        lost.requestRelist()
        lost.markStopping()
        #expect(lost.end == .lost(afterProgress: false) && lost.isLost)
        let stopping = SessionOutcome()
        stopping.markStopping()
        stopping.markLost()
        #expect(stopping.end == .stopping && !stopping.isLost)
    }

    @Test func `a ledger that fails takes the place of any other reason`() {
        let outcome = SessionOutcome()
        outcome.recordProgress()
        outcome.markStopping()
        outcome.recordLedgerFailure(LedgerGone())
        #expect(outcome.end == .lost(afterProgress: true))
        #expect(outcome.ledgerFailure is LedgerGone)
    }

    @Test func `a camera that says nothing more is lost, unless the session is over`() {
        let outcome = SessionOutcome()
        outcome.requestRelist()
        #expect(!outcome.hasHandledNotices)
        outcome.markNoticesHandled()
        #expect(outcome.hasHandledNotices && outcome.end == .relist)
        let silent = SessionOutcome()
        silent.markNoticesHandled()
        #expect(silent.isLost)
    }

    @Test func `one photo is to blame for a loss, and none when the service stops`() {
        let outcome = SessionOutcome()
        let first = outcome.claimBlame()
        let second = outcome.claimBlame()
        #expect(first && !second)
        let stopping = SessionOutcome()
        stopping.markStopping()
        let none = stopping.claimBlame()
        #expect(!none)
    }
}
