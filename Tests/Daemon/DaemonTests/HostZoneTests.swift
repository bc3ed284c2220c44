import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import FrameFastDaemon

@Suite struct HostZoneTests {
    @Test func `detects a changed time zone file once`() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path("localtime")
        let zones = ["/usr/share/zoneinfo/Europe/Berlin", "/usr/share/zoneinfo/Asia/Tokyo"]
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: zones[0])
        var zone = HostZone(path: path)
        let before = zone.refresh()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: zones[1])
        let changes = [zone.refresh(), zone.refresh()]
        #expect(!before && changes == [true, false])
    }

    /// In the first row, the zone changes from Berlin to Tokyo. The eight hours between the zones do not
    /// count as clock drift.
    @Test(arguments: [(28_800 as Int?, 32_400, 3_600, 0 as Int?), (0, 3_600, 3_600, 0), (nil, 0, 3_600, nil)])
    func `compares a camera clock in the current time zone`(sent: Int?, zone: Int, opened: Int, drift: Int?) {
        let facts = CameraFacts(clockDriftSeconds: sent)
        #expect(facts.comparingClock(in: zone, insteadOf: opened).clockDriftSeconds == drift)
    }
}
