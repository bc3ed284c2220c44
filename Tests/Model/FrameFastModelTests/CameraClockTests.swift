import Foundation
import FrameFastModel
import Testing

/// Capture times from a camera clock with drift.
@Suite struct CameraClockTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var compared: String
        var drift: Int
        /// The camera's clock, as if it ran in UTC.
        var shown: String
        var moment: String
    }

    static let rows = [
        Row(
            testDescription: "winter, a clock that was not set when summer time began",
            compared: "2026-04-10T12:00:00Z", drift: -3_600, shown: "2026-03-20T23:30:00Z",
            moment: "2026-03-20T22:30:00Z"),
        Row(
            testDescription: "winter, a clock that was set since",
            compared: "2026-04-10T12:00:00Z", drift: 0, shown: "2026-03-20T23:30:00Z",
            moment: "2026-03-20T22:30:00Z"),
        Row(
            testDescription: "winter, a clock that is also 20 s ahead",
            compared: "2026-04-10T12:00:00Z", drift: -3_580, shown: "2026-03-20T23:30:00Z",
            moment: "2026-03-20T22:29:40Z"),
        Row(
            testDescription: "summer, a clock that still shows winter time",
            compared: "2026-04-10T12:00:00Z", drift: -3_600, shown: "2026-04-05T22:00:00Z",
            moment: "2026-04-05T21:00:00Z"),
        Row(
            testDescription: "an hour that the clocks on the walls left out",
            compared: "2026-03-29T12:00:00Z", drift: -3_600, shown: "2026-03-29T02:30:00Z",
            moment: "2026-03-29T01:30:00Z"),
        Row(
            testDescription: "summer, a clock that was not set when summer time ended",
            compared: "2026-11-10T12:00:00Z", drift: 3_600, shown: "2026-10-20T23:30:00Z",
            moment: "2026-10-20T21:30:00Z"),
        Row(
            testDescription: "a clock that is a day ahead",
            compared: "2026-11-10T12:00:00Z", drift: 86_400, shown: "2026-11-10T13:00:00Z",
            moment: "2026-11-09T12:00:00Z"),
        Row(
            testDescription: "a clock that is an hour ahead since the last change",
            compared: "2026-11-10T12:00:00Z", drift: 3_600, shown: "2026-11-10T14:00:00Z",
            moment: "2026-11-10T12:00:00Z"),
    ]

    @Test(arguments: rows)
    func `uses the drift from before a daylight saving change`(row: Row) throws {
        let clock = CameraClock(
            zone: try #require(TimeZone(identifier: "Europe/Berlin")), driftSeconds: row.drift,
            comparedAt: try Date(row.compared, strategy: .iso8601))
        let shown = try Date(row.shown, strategy: .iso8601)
        let moment = clock.date(of: WallClock(seconds: Int64(shown.timeIntervalSince1970)))
        #expect(moment == (try Date(row.moment, strategy: .iso8601)))
    }
}
