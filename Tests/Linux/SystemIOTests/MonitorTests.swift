import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestRig
import Testing

@testable import SystemIO

@Suite(.blocking) struct MonitorTests {
    @Test(.nightly("counts how often a thread wakes; in the gate, other tests of this suite cover the wake"))
    func `withLock wakes no thread and withLockAndNotify wakes a waiting thread`() throws {
        let monitor = Monitor()
        let calls = Atomic(0)
        let hasCalled = DispatchSemaphore(value: 0)
        let isReady = Atomic(false)
        let thread = try PlainThread.startJoinable("waiter") {
            monitor.wait {
                calls.add(1, ordering: .sequentiallyConsistent)
                hasCalled.signal()
                return isReady.load(ordering: .sequentiallyConsistent) ? () : nil
            }
        }
        try #require(
            hasCalled.wait(timeout: .now() + 60) == .success,
            "waited 60 s for the thread to call its condition")
        for _ in 1...100 { monitor.withLock { isReady.store(true, ordering: .sequentiallyConsistent) } }
        #expect(calls.load(ordering: .sequentiallyConsistent) == 1)
        monitor.withLockAndNotify {}
        thread.join()
        #expect(calls.load(ordering: .sequentiallyConsistent) == 2)
    }

    @Test
    func `a waiting thread receives values from other threads`() {
        let monitor = Monitor()
        let received = Mutex<[Int]>([])
        for number in 1...8 {
            PlainThread.startOrExit("value \(number)") {
                monitor.withLockAndNotify { received.withLock { $0.append(number) } }
            }
        }
        let all = monitor.wait { received.withLock { $0.count == 8 ? $0 : nil } }
        #expect(all.sorted() == Array(1...8))
    }

    @Test(arguments: [-1.0, 0, 0.01])
    func `a wait without a change returns nil after its timeout`(seconds: Double) {
        var calls = 0
        let result: Int? = Monitor().wait(seconds: seconds) {
            calls += 1
            return nil
        }
        #expect(result == nil)
        #expect(calls >= 1)
    }

    @Test(arguments: [Monitor.longestSeconds, .infinity])
    func `a change ends a wait with the longest timeout`(seconds: Double) {
        let monitor = Monitor()
        let isReady = Atomic(false)
        PlainThread.startOrExit("change") {
            monitor.withLockAndNotify { isReady.store(true, ordering: .sequentiallyConsistent) }
        }
        let result: Bool? = monitor.wait(seconds: seconds) {
            isReady.load(ordering: .sequentiallyConsistent) ? true : nil
        }
        #expect(result == true)
    }

    @Test
    func `a thread's name is truncated to the system's limit`() {
        let monitor = Monitor()
        let name = Mutex<String?>(nil)
        PlainThread.startOrExit("a name that is too long") {
            let threadName = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            monitor.withLockAndNotify { name.withLock { $0 = threadName } }
        }
        #expect(monitor.wait { name.withLock { $0 } } == "a name that is \n")
    }
}
