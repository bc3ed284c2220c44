import Foundation
import Synchronization
import Testing

@testable import FrameFastCLI

/// Tests of the timeout of `framefast connect`.
@Suite struct DeadlineTests {
    /// A clock that a test sets.
    private final class Time: Sendable {
        let date = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        let uptime = Mutex(Duration.seconds(5_000))

        var clock: CommandClock {
            CommandClock(now: { self.date.withLock { $0 } }, uptime: { self.uptime.withLock { $0 } })
        }
    }

    @Test(arguments: [-86_400.0, 86_400])
    func `a change of the date does not move a deadline`(seconds: Double) {
        let time = Time()
        let deadline = Deadline(seconds: 90, clock: time.clock)
        time.date.withLock { $0 += seconds }
        #expect(!deadline.isOver && deadline.millisecondsLeft == 90_001)
        time.uptime.withLock { $0 += .seconds(90) }
        #expect(deadline.isOver)
    }

    @Test func `a deadline without a timeout never ends`() {
        let time = Time()
        let deadline = Deadline(seconds: nil, clock: time.clock)
        time.uptime.withLock { $0 += .seconds(1_000_000) }
        #expect(!deadline.isOver && deadline.millisecondsLeft == nil)
    }
}
