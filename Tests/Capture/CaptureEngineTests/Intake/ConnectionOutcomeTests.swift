import Cameras
import Testing

@testable import CaptureEngine

@Suite struct ConnectionOutcomeTests {
    private struct LedgerGone: Error {}

    @Test func `keeps the first reason for the end of a connection`() {
        let lost = ConnectionOutcome()
        lost.markLost()
        lost.recordProgress()
        lost.requestRelist()
        lost.markStopping()
        #expect(lost.end == .lost(afterProgress: false) && lost.isLost)
        let stopping = ConnectionOutcome()
        stopping.markStopping()
        stopping.markLost()
        #expect(stopping.end == .stopping && !stopping.isLost)
    }

    @Test func `replaces any reason with a ledger failure`() {
        let outcome = ConnectionOutcome()
        outcome.recordProgress()
        outcome.markStopping()
        outcome.recordLedgerFailure(LedgerGone())
        #expect(outcome.end == .lost(afterProgress: true))
        #expect(outcome.ledgerFailure is LedgerGone)
    }

    @Test func `reports a lost connection when notices end without a reason`() {
        let outcome = ConnectionOutcome()
        outcome.requestRelist()
        #expect(!outcome.hasHandledNotices)
        outcome.markNoticesHandled()
        #expect(outcome.hasHandledNotices && outcome.end == .relist)
        let silent = ConnectionOutcome()
        silent.markNoticesHandled()
        #expect(silent.isLost)
    }

    @Test func `attributes a lost connection to one photo, except after a stop`() {
        let outcome = ConnectionOutcome()
        let first = outcome.claimBlame()
        let second = outcome.claimBlame()
        #expect(first && !second)
        let stopping = ConnectionOutcome()
        stopping.markStopping()
        let none = stopping.claimBlame()
        #expect(!none)
    }
}
