import Foundation
import Testing

@testable import Cameras

@Suite struct AbsenceTests {
    @Test(arguments: [
        // Named in the configuration: it is waited for, also when nobody saw it go.
        (true, nil as TimeInterval?, true), (true, 86_400, true),
        // Anybody's body: for a while.
        (false, 0, true), (false, 599, true), (false, 600, false), (false, 86_400, false),
        (false, nil, false),
        // The clock was set back.
        (false, -30, true), (false, -86_400, false),
    ])
    func `a camera is missed when somebody waits for it, or when it has just left`(
        isConfigured: Bool, secondsAgo: TimeInterval?, isMissed: Bool
    ) {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let absence = Absence(
            isConfigured: isConfigured, leftAt: secondsAgo.map { now.addingTimeInterval(-$0) })
        #expect(absence.deservesAttention(at: now) == isMissed)
    }
}
