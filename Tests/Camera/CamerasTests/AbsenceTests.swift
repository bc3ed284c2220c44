import Foundation
import Testing

@testable import Cameras

@Suite struct AbsenceTests {
    @Test(arguments: [
        // A configured camera is always expected, even if the time of disconnection is unknown.
        (true, nil as TimeInterval?, true), (true, 86_400, true),
        // An unconfigured camera is expected for ten minutes after its disconnection.
        (false, 0, true), (false, 599, true), (false, 600, false), (false, 86_400, false),
        (false, nil, false),
        // The clock was set back.
        (false, -30, true), (false, -86_400, false),
    ])
    func `shows an absence for configured and recently unplugged cameras`(
        isConfigured: Bool, secondsAgo: TimeInterval?, isMissed: Bool
    ) {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let absence = Absence(
            isConfigured: isConfigured, leftAt: secondsAgo.map { now.addingTimeInterval(-$0) })
        #expect(absence.deservesAttention(at: now) == isMissed)
    }
}
