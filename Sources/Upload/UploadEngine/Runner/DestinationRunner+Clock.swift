import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

/// The runner's clock.
extension DestinationRunner {
    /// Returns the date. If the computer slept or the clock was set since the last call, the runner adjusts
    /// its waits first.
    func currentDate() -> Date {
        if sleepMeter.measureSleep(upTo: clock.slept()) != nil { handleSleep() }
        if let step = clockStepDetector.detectStep(on: clock) { handleClockStep(by: step) }
        return clock.now()
    }

    /// Retries the destination after a sleep, because an earlier outage says nothing about the network now. A
    /// destination that refuses all uploads keeps its wait, because it would refuse again.
    private func handleSleep() {
        if gate.breaker.cause != .refused { _ = perform(gate.breaker.reset()) }
        mustWakeWaiting = true
        // Silence during the sleep does not count. An upload that is stalled after it restarts, unless the
        // destination continues by itself.
        let now = clock.now()
        for attempt in running.values {
            if !target.continuesAfterSleep, attempt.stallDate(after: target.stallSeconds) <= now {
                attempt.stop()
            } else {
                attempt.recordActivity()
            }
        }
        wakeEvent.ring()
    }

    /// Moves all waits by a clock step, so that they keep their lengths.
    private func handleClockStep(by seconds: Double) {
        ledger.logger.notice(
            "the clock was set", metadata: ["destination": "\(target.name)", "seconds": "\(Int(seconds))"])
        gate.breaker.shiftTimes(by: seconds)
        missingFiles.shiftTimes(by: seconds)
        leftovers.shiftTimes(by: seconds)
        shortage.shiftTimes(by: seconds)
        for attempt in running.values { attempt.restartStallTimer() }
        // The dates in the ledger come from before and after the step, so none of them can be trusted. All
        // waiting jobs start.
        if seconds < 0 { mustWakeAll = true }
        wakeEvent.ring()
    }

    /// Starts jobs that would wait too long because the clock was set back.
    func wakeAfterClockStep() async {
        guard mustWakeAll else { return }
        mustWakeAll = false
        let captures = await ledger.withRetries { [name = target.name] in
            try await $0.queueRetries(destination: name)
        }
        ledger.report(changed: captures ?? [])
    }
}
