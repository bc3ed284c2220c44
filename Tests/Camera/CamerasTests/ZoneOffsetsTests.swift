import Foundation
import Testing
import WorkerProtocol

@testable import Cameras

@Suite struct ZoneOffsetsTests {
    @Test(arguments: [
        "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo",
        "Europe/Dublin", "Australia/Lord_Howe", "UTC",
    ])
    func `returns correct offsets for 540 days across daylight saving changes`(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let start = try Date("2026-01-15T12:00:00Z", strategy: .iso8601)
        let offsets = ZoneOffsets(zone, from: start)
        #expect(offsets.changes.count <= ZoneOffsets.changesMax)
        for step in 0..<(540 * 24) {
            let moment = start.addingTimeInterval(Double(step) * 3_600)
            let seconds = offsets.seconds(at: Int64(moment.timeIntervalSince1970))
            guard seconds == zone.secondsFromGMT(for: moment) else {
                Issue.record("\(moment) in \(name): \(seconds)")
                return
            }
        }
    }

    @Test func `changes the offset in the exact second of the transition`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let change = try Date("2026-03-29T01:00:00Z", strategy: .iso8601)
        let offsets = ZoneOffsets(zone, from: change.addingTimeInterval(-1))
        let second = Int64(change.timeIntervalSince1970)
        #expect(offsets.seconds(at: second - 1) == 3_600 && offsets.seconds(at: second) == 7_200)
        #expect(ZoneOffsets(zone, from: change).seconds(at: second) == 7_200)
    }
}
