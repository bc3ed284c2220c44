import Cameras
import Foundation
import FrameFastModel
import Testing

@testable import FrameFastDaemon

@Suite struct ClockGuardTests {
    static let newest = Date(timeIntervalSince1970: 1_795_271_130)

    @Test(arguments: [(-86_400.0 * 365, true), (-3_601, true), (-3_599, false), (0, false), (86_400, false)])
    func `raises a condition if the clock is behind the last photo`(seconds: Double, isBehind: Bool) {
        let health = HealthBoard { _ in }
        ClockGuard(newest: Self.newest, health: health).checkClock(Self.newest.addingTimeInterval(seconds))
        #expect(health.current.map(\.code) == (isBehind ? ["clock-behind"] : []))
    }

    @Test func `clears the condition when the clock is set, or without photos`() {
        let health = HealthBoard { _ in }
        let clock = ClockGuard(newest: Self.newest, health: health)
        clock.checkClock(Date(timeIntervalSince1970: 40_000))
        #expect(health.current.first?.sentence.contains("says 1970-01-01, but") == true)
        #expect(health.current.first?.nextStep.contains("Set the clock") == true)
        clock.checkClock(Self.newest)
        #expect(health.current.isEmpty)
        ClockGuard(newest: nil, health: health).checkClock(Date(timeIntervalSince1970: 0))
        #expect(health.current.isEmpty)
    }
}
