import Cameras
import Testing

@testable import CaptureEngine

@Suite struct SessionOutcomeTests {
    private struct LedgerGone: Error {}

    @Test func `the first reason stands`() {
        let lost = SessionOutcome()
        lost.lost()
        lost.progressed()
        lost.relist()
        lost.stop()
        #expect(lost.end == .lost(afterProgress: false) && lost.isLost)
        let stopping = SessionOutcome()
        stopping.stop()
        stopping.lost()
        #expect(stopping.end == .stopping && !stopping.isLost)
    }

    @Test func `a ledger that fails takes the place of any other reason`() {
        let outcome = SessionOutcome()
        outcome.progressed()
        outcome.stop()
        outcome.ledgerFailed(LedgerGone())
        #expect(outcome.end == .lost(afterProgress: true))
        #expect(outcome.ledgerFailure is LedgerGone)
    }

    @Test func `a camera that says nothing more is lost, unless the session is over`() {
        let outcome = SessionOutcome()
        outcome.relist()
        #expect(!outcome.hasHeardOut)
        outcome.heardOut()
        #expect(outcome.hasHeardOut && outcome.end == .relist)
        let silent = SessionOutcome()
        silent.heardOut()
        #expect(silent.isLost)
    }

    @Test func `one photo is to blame for a loss, and none when the service stops`() {
        let outcome = SessionOutcome()
        let first = outcome.blames()
        let second = outcome.blames()
        #expect(first && !second)
        let stopping = SessionOutcome()
        stopping.stop()
        let none = stopping.blames()
        #expect(!none)
    }
}
