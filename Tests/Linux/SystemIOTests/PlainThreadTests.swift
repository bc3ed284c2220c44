import Synchronization
import Testing

@testable import SystemIO

@Suite struct PlainThreadTests {
    @Test func `join returns after the thread has ended`() throws {
        let steps = Mutex<[String]>([])
        let monitor = Monitor()
        let mayEnd = Mutex(false)
        let thread = try PlainThread.startJoinable("joined") {
            _ = monitor.wait { mayEnd.withLock { $0 ? true : nil } }
            steps.withLock { $0.append("ended") }
        }
        steps.withLock { $0.append("joining") }
        monitor.withLockAndNotify { mayEnd.withLock { $0 = true } }
        thread.join()
        #expect(steps.withLock(\.self) == ["joining", "ended"])
    }

    @Test func `a thread that cannot start throws and releases its body`() {
        final class Held: Sendable {
            let hasRun = Mutex(false)
        }
        weak var captured: Held?
        var failure: PlainThread.StartError?
        do {
            let held = Held()
            captured = held
            // No host has enough memory for this stack.
            try PlainThread.start("greedy", stackBytes: 1 << 60) { held.hasRun.withLock { $0 = true } }
        } catch { failure = error }
        #expect(captured == nil)
        #expect(failure?.name == "greedy")
        #expect(failure?.description == "cannot start the thread greedy: \(failure?.reason ?? "")")
    }
}
