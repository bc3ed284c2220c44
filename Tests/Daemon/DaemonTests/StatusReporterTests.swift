import Foundation
import FrameFastSystem
import Synchronization
import TestRig
import Testing

@testable import FrameFastDaemon

/// Tests of the rate of the notifications for systemd's watchdog, in virtual time.
@Suite(.blocking) struct StatusReporterTests {
    /// The sleeps of a clock. The first sleeps return immediately. The next sleep lasts until its task is
    /// cancelled.
    private final class Sleeps: Sendable {
        /// The number of sleeps that return immediately.
        static let countMax = 10
        private let all = Mutex<[Double]>([])

        /// The lengths of the sleeps so far, in seconds.
        var seconds: [Double] { all.withLock { $0 } }

        func sleep(_ seconds: Double) async throws {
            let count = all.withLock { all in
                all.append(seconds)
                return all.count
            }
            if count > Self.countMax { try await Task.sleep(for: .seconds(3_600)) }
        }
    }

    @Test(arguments: [400_000, 3_000_000, 30_000_000])
    func `feeds the watchdog at least twice in each interval`(microseconds: Int) async throws {
        let folder = try ScratchFolder()
        let inbox = try DatagramInbox(folder.path("notify"))
        let sleeps = Sleeps()
        var clock = HostClock.system
        clock.sleep = { try await sleeps.sleep($0) }
        let service = try await ScriptedService(clock: clock)
        let reporter = StatusReporter(
            service.parts, service: service.control.service,
            notifier: ServiceNotifier(
                environment: ["NOTIFY_SOCKET": inbox.path, "WATCHDOG_USEC": "\(microseconds)"]))
        let reports = Task { try await reporter.run() }
        defer { reports.cancel() }
        func notifications() -> Int { inbox.texts().count { $0 == "WATCHDOG=1" } }
        try await eventually("a notification after each sleep") {
            sleeps.seconds.count > Sleeps.countMax && notifications() >= Sleeps.countMax ? () : nil
        }
        #expect(notifications() == Sleeps.countMax)
        let intervalSeconds = Double(microseconds) / 1_000_000
        #expect(sleeps.seconds.allSatisfy { $0 <= intervalSeconds / 2 }, "\(sleeps.seconds)")
    }
}
