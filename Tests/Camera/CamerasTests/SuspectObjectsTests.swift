import Testing

@testable import Cameras

@Suite struct SuspectObjectsTests {
    @Test func `quarantines an object after the second worker death`() {
        var suspects = SuspectObjects()
        let isSetAside = [7, 9, 7].map { (handle: UInt32) in suspects.recordDeath(over: handle) }
        #expect(isSetAside == [false, false, true])
        #expect(suspects.quarantined == [7])
        let second = suspects.recordDeath(over: 9)
        #expect(second)
        #expect(suspects.quarantined == [7, 9])
    }

    @Test func `forgets quarantined handles after the camera was unreachable`() {
        var suspects = SuspectObjects()
        _ = suspects.recordDeath(over: 7)
        _ = suspects.recordDeath(over: 7)
        let start = ContinuousClock.now
        suspects.recordAbsence(now: start)
        suspects.recordAbsence(now: start + .seconds(30))
        #expect(suspects.quarantined == [7])
        suspects.recordConnection()
        suspects.recordAbsence(now: start + .seconds(40))
        #expect(suspects.quarantined == [7], "the camera was connected in between")
        suspects.recordAbsence(now: start + .seconds(71))
        #expect(suspects.quarantined == [])
    }
}
