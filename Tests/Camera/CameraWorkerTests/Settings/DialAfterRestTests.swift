import Testing

@testable import CameraWorker
@testable import FrameFastModel

/// Tests of the time from a turned dial to the reading of its value, in virtual time.
@Suite struct DialAfterRestTests {
    private static let code: UInt16 = 0xD103
    private static let profile: CameraProfile = {
        var profile = CameraProfile()
        profile.settings = [.iso: SettingProfile(names: ["iso"], codes: [PropertyCode(Self.code)])]
        return profile
    }()

    /// Idle times of more than a minute. Some end directly after a poll, which gives the longest wait for the
    /// next poll.
    @Test(arguments: [60_001, 61_000, 61_001, 61_500, 119_999, 600_001, 3_600_001])
    func `reads a dial within 1.2 s, even after a minute without changes`(restMs: Int) throws {
        let turned = Instant.milliseconds(restMs)
        var (pace, now) = (EventPace(at: .start), Instant.start)
        repeat {
            // A poll takes a millisecond.
            now = now + pace.delay(at: now) + .milliseconds(1)
            pace.recordPoll(at: now)
        } while now < turned
        // This poll is the first that reports the change.
        var table = SettingsTable(Self.profile, known: ["iso"])
        table.markStale([Self.code], at: now)
        let due = try #require(table.due())
        #expect(due - turned <= .milliseconds(1_200), "\(due - turned)")
        #expect(table.next() == .iso)
    }
}
