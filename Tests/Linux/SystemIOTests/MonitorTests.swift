import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestRig
import Testing

@testable import SystemIO

@Suite(.blocking) struct MonitorTests {
    @Test(.nightly("counts the wakes of a thread; a change wakes a thread in the gate"))
    func `look wakes no thread and change wakes the waiting thread`() throws {
        let monitor = Monitor()
        let asked = Atomic(0)
        let isAsked = DispatchSemaphore(value: 0)
        let isThere = Atomic(false)
        let thread = try PlainThread.startJoinable("waiter") {
            monitor.wait {
                asked.add(1, ordering: .sequentiallyConsistent)
                isAsked.signal()
                return isThere.load(ordering: .sequentiallyConsistent) ? () : nil
            }
        }
        try #require(isAsked.wait(timeout: .now() + 60) == .success, "waited 60 s for the thread to wait")
        for _ in 1...100 { monitor.withLock { isThere.store(true, ordering: .sequentiallyConsistent) } }
        #expect(asked.load(ordering: .sequentiallyConsistent) == 1)
        monitor.withLockAndNotify {}
        thread.join()
        #expect(asked.load(ordering: .sequentiallyConsistent) == 2)
    }

    @Test
    func `a waiting thread gets the values of other threads`() {
        let monitor = Monitor()
        let brought = Mutex<[Int]>([])
        for number in 1...8 {
            PlainThread.startOrExit("bring \(number)") {
                monitor.withLockAndNotify { brought.withLock { $0.append(number) } }
            }
        }
        let all = monitor.wait { brought.withLock { $0.count == 8 ? $0 : nil } }
        #expect(all.sorted() == Array(1...8))
    }

    @Test(arguments: [-1.0, 0, 0.01])
    func `a wait with a timeout returns nil without a change`(seconds: Double) {
        var asked = 0
        let result: Int? = Monitor().wait(seconds: seconds) {
            asked += 1
            return nil
        }
        #expect(result == nil)
        #expect(asked >= 1)
    }

    @Test(arguments: [Monitor.longestSeconds, .infinity])
    func `a change ends a wait with the longest timeout`(seconds: Double) {
        let monitor = Monitor()
        let isThere = Atomic(false)
        PlainThread.startOrExit("change") {
            monitor.withLockAndNotify { isThere.store(true, ordering: .sequentiallyConsistent) }
        }
        let result: Bool? = monitor.wait(seconds: seconds) {
            isThere.load(ordering: .sequentiallyConsistent) ? true : nil
        }
        #expect(result == true)
    }

    @Test
    func `a thread's name is truncated to the system's limit`() {
        let monitor = Monitor()
        let name = Mutex<String?>(nil)
        PlainThread.startOrExit("a name that is too long") {
            let own = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            monitor.withLockAndNotify { name.withLock { $0 = own } }
        }
        #expect(monitor.wait { name.withLock { $0 } } == "a name that is \n")
    }
}
