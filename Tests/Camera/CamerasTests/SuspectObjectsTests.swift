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

    @Test func `forgets quarantined handles after an absence of more than 30 seconds`() {
        var suspects = SuspectObjects()
        _ = suspects.recordDeath(over: 7)
        _ = suspects.recordDeath(over: 7)
        suspects.recordAbsence(at: 1)
        suspects.recordAbsence(at: 31)
        #expect(suspects.quarantined == [7])
        suspects.recordConnection()
        suspects.recordAbsence(at: 41)
        #expect(suspects.quarantined == [7], "the camera was connected in between")
        suspects.recordAbsence(at: 72)
        #expect(suspects.quarantined == [])
    }
}
