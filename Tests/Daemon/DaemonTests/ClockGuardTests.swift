import Cameras
import Foundation
import FrameFastModel
import Testing

@testable import FrameFastDaemon

@Suite struct ClockGuardTests {
    static let newest = Date(timeIntervalSince1970: 1_795_271_130)

    @Test(arguments: [(-86_400.0 * 365, true), (-3_601, true), (-3_599, false), (0, false), (86_400, false)])
    func `raises a condition for a clock an hour behind the last photo`(seconds: Double, isBehind: Bool) {
        let conditionBoard = ConditionBoard { _ in }
        ClockGuard(newest: Self.newest, conditionBoard: conditionBoard).checkClock(
            Self.newest.addingTimeInterval(seconds))
        #expect(conditionBoard.current.map(\.code) == (isBehind ? ["clock-behind"] : []))
    }

    @Test func `clears the condition when the clock is set, and raises none without photos`() {
        let conditionBoard = ConditionBoard { _ in }
        let clock = ClockGuard(newest: Self.newest, conditionBoard: conditionBoard)
        clock.checkClock(Date(timeIntervalSince1970: 40_000))
        #expect(conditionBoard.current.first?.sentence.contains("says 1970-01-01, but") == true)
        #expect(conditionBoard.current.first?.nextStep.contains("Set the clock") == true)
        clock.checkClock(Self.newest)
        #expect(conditionBoard.current.isEmpty)
        ClockGuard(newest: nil, conditionBoard: conditionBoard).checkClock(Date(timeIntervalSince1970: 0))
        #expect(conditionBoard.current.isEmpty)
    }
}
