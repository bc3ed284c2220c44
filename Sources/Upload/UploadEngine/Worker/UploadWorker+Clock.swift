import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// The runner's clock.
extension UploadWorker {
    /// Returns the date. If the computer slept or the clock was set since the last call, the runner adjusts
    /// its waits first.
    func currentDate() -> Date {
        if sleepMeter.measureSleep(upTo: clock.slept()) != nil { computerSlept() }
        if let step = steps.step(clock) { clockWasSet(by: step) }
        return clock.now()
    }

    /// Retries the destination after a sleep, because an earlier outage says nothing about the network now. A
    /// destination that refuses all uploads keeps its wait, because it would refuse again.
    private func computerSlept() {
        if gate.breaker.cause != .refused { _ = perform(gate.breaker.reset()) }
        mustWakeWaiting = true
        // Silence during the sleep does not count. An upload that is stalled after it restarts, unless the
        // destination continues by itself.
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

    /// Moves all waits by a clock step, so that they keep their lengths.
    private func clockWasSet(by seconds: Double) {
        ledger.logger.notice(
            "the clock was set", metadata: ["destination": "\(target.name)", "seconds": "\(Int(seconds))"])
        gate.breaker.clockWasSet(by: seconds)
        missingFiles.clockWasSet(by: seconds)
        leftovers.clockWasSet(by: seconds)
        shortage.clockWasSet(by: seconds)
        for attempt in running.values { attempt.clockWasSet() }
        // The dates in the ledger come from before and after the step, so none of them can be trusted. All
        // waiting jobs start.
        if seconds < 0 { mustWakeAll = true }
        bell.ring()
    }

    /// Starts jobs that would wait too long because the clock was set back.
    func wakeAfterClockStep() async {
        guard mustWakeAll else { return }
        mustWakeAll = false
        let captures = await ledger.insist { [name = target.name] in
            try await $0.wakeWaiting(destination: name)
        }
        ledger.tell(changed: captures ?? [])
    }
}
