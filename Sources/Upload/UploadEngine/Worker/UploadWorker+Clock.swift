import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// The date as a worker reads it.
extension UploadWorker {
    /// The date. If the computer has slept, or the clock was set since the last call, the waits are adjusted first.
    func currentDate() -> Date {
        if sleepMeter.measureSleep(upTo: clock.slept()) != nil { computerSlept() }
        if let step = steps.step(clock) { clockWasSet(by: step) }
        return clock.now()
    }

    /// Tries the destination now: an outage before the sleep says nothing about the network after it. A destination that
    /// refuses us would refuse again, and keeps its wait.
    private func computerSlept() {
        if gate.breaker.cause != .refused { _ = perform(gate.breaker.reset()) }
        mustWakeWaiting = true
        // The sleep is no silence of the destination. An upload that stood still during it starts again, unless it
        // continues by itself.
        let now = clock.now()
        for attempt in running.values {
            if !target.continuesAfterSleep, attempt.stalls(after: target.stallSeconds) <= now {
                attempt.stop()
            } else {
                attempt.recordActivity()
            }
        }
        bell.ring()
    }

    /// Keeps each wait as long as it was.
    private func clockWasSet(by seconds: Double) {
        ledger.logger.notice(
            "the clock was set", metadata: ["destination": "\(target.name)", "seconds": "\(Int(seconds))"])
        gate.breaker.clockWasSet(by: seconds)
        missingFiles.clockWasSet(by: seconds)
        leftovers.clockWasSet(by: seconds)
        shortage.clockWasSet(by: seconds)
        for attempt in running.values { attempt.clockWasSet() }
        // The ledger's dates are those of failures before and after the step: whichever they are, none is waited for.
        if seconds < 0 { mustWakeAll = true }
        bell.ring()
    }

    /// Starts what would wait too long because the clock was set back.
    func wakeAfterClockStep() async {
        guard mustWakeAll else { return }
        mustWakeAll = false
        let captures = await ledger.insist { [name = target.name] in
            try await $0.wakeWaiting(destination: name)
        }
        ledger.tell(changed: captures ?? [])
    }
}
