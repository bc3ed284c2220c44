import Foundation
import TestRig
import Testing

@testable import FrameFastSystem

@Suite struct HostClockTests {
    private let clock = HostClock.system

    @Test func `sleep advances uptime and awakeTime`() async throws {
        let (uptime, awakeTime) = (clock.uptime(), clock.awakeTime())
        try await clock.sleep(0.02)
        try await clock.sleepAwake(0.02)
        try await clock.sleep(for: .milliseconds(10))
        // The sleeps last 50 ms in total. The lower limit allows for rounding by the system's timer.
        #expect(clock.uptime() - uptime >= 0.04 && clock.awakeTime() - awakeTime >= 0.04)
        #expect(clock.duration(since: uptime) >= .milliseconds(40))
        #expect(clock.deadline(after: .seconds(60)) >= uptime + 60.04)
    }

    @Test func `a cancelled sleep throws an error`() async {
        let pauses: [Task<Void, any Error>] = [
            Task { [clock] in try await clock.sleep(3_600) },
            Task { [clock] in try await clock.sleepAwake(3_600) },
            Task { [clock] in try await clock.sleep(for: .seconds(3_600)) },
        ]
        for pause in pauses {
            pause.cancel()
            await #expect(throws: CancellationError.self) { try await pause.value }
        }
    }

    @Test func `returns random numbers from 0 to less than 1`() {
        let numbers = (0..<100).map { _ in clock.random() }
        #expect(numbers.allSatisfy { (0..<1).contains($0) } && Set(numbers).count > 1)
        #expect(Set((0..<100).map { _ in clock.randomBits() }).count > 1)
    }

    /// Regression test: the service never knew whether the clock was synchronized, because its sandbox hides
    /// the state of the kernel.
    @Test func `reads from systemd-timesyncd's folder whether the clock is synchronized`() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path("timesync")
        #expect(HostClock.isSynchronized(timesync: folder) == nil)
        try DurableFile.createFolder(folder)
        #expect(HostClock.isSynchronized(timesync: folder) == false)
        try Data().write(to: URL(filePath: folder + "/synchronized"))
        #expect(HostClock.isSynchronized(timesync: folder) == true)
    }
}
