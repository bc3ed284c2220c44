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
        steps.withLock { $0.append("asked") }
        monitor.withLockAndNotify { mayEnd.withLock { $0 = true } }
        thread.join()
        #expect(steps.withLock(\.self) == ["asked", "ended"])
    }

    @Test func `a thread that cannot start throws and releases its body`() {
        final class Held: Sendable {
            let isGone: Mutex<Bool>

            init() { isGone = Mutex(false) }
        }
        weak var last: Held?
        var found: PlainThread.StartError?
        do {
            let held = Held()
            last = held
            // No host has enough memory for this stack.
            try PlainThread.start("greedy", stackBytes: 1 << 60) { held.isGone.withLock { $0 = true } }
        } catch { found = error }
        #expect(last == nil)
        #expect(found?.name == "greedy")
        #expect(found?.description == "cannot start the thread greedy: \(found?.reason ?? "")")
    }
}
