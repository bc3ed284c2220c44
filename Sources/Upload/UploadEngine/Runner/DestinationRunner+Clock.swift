import Foundation
import FrameFastSystem
import Logging
import Store

/// The runner's clock, and its reactions to sleep and clock steps.
extension DestinationRunner {
    /// Returns the current date. First adjusts all waits if the computer slept or the clock was set since the
    /// last call.
    ///
    /// The date is read before the checks. If a sleep or a clock step precedes the date, the waits are
    /// therefore adjusted before the date is returned.
    func currentDate() -> Date {
        let step = clockStepDetector.detectStep(on: clock)
        let now = clockStepDetector.date
        if sleepDetector.measureSleep(upTo: clock.slept()) != nil { handleSleep() }
        if let step { handleClockStep(by: step) }
        return now
    }

    /// Retries the destination after sleep, because the network may have changed since the last outage. A
    /// destination that refuses all uploads keeps its wait, because the refusal still applies.
    private func handleSleep() {
        if gate.breaker.cause != .refused { _ = perform(gate.breaker.reset()) }
        mustWakeWaiting = true
        // Time asleep must not count as a stall, so the stall timers restart. An upload whose stall limit
        // passed during the sleep restarts, unless its destination continues uploads after sleep.
        let now = clock.now()
        for attempt in running.values {
            if !target.continuesAfterSleep, attempt.stallDate(after: target.stallSeconds) <= now {
                attempt.stop()
            } else {
                attempt.recordActivity()
            }
        }
        wakeEvent.signal()
    }

    /// Moves all waits by a clock step. The waits keep their lengths.
    private func handleClockStep(by seconds: Double) {
        ledger.logger.notice(
            "the clock was set", metadata: ["destination": "\(target.name)", "seconds": "\(Int(seconds))"])
        gate.breaker.shiftTimes(by: seconds)
        missingFiles.shiftTimes(by: seconds)
        leftovers.shiftTimes(by: seconds)
        shortage.shiftTimes(by: seconds)
        for attempt in running.values { attempt.restartStallTimer() }
        // The runner cannot distinguish dates that the ledger stored before the step from later dates. After
        // a backward step, all waiting jobs therefore start.
        if seconds < 0 { mustWakeAll = true }
        wakeEvent.signal()
    }

    /// Starts all waiting jobs after the clock was set back, because their waits are too long.
    func wakeAfterClockStep() async {
        guard mustWakeAll else { return }
        mustWakeAll = false
        let captures = await ledger.withRetries { [name = target.name] in
            try await $0.queueRetries(destination: name)
        }
        ledger.report(changed: captures ?? [])
    }
}
