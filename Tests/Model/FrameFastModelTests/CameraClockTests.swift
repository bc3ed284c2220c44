import Foundation
import FrameFastModel
import Testing

/// Tests of the conversion of capture times from a camera whose clock may be wrong.
@Suite struct CameraClockTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var compared: String
        var drift: Int
        /// The time that the camera's clock showed, written as UTC.
        var shown: String
        var date: String
    }

    static let rows = [
        Row(
            testDescription: "winter time, a clock that was not set at the start of summer time",
            compared: "2026-04-10T12:00:00Z", drift: -3_600, shown: "2026-03-20T23:30:00Z",
            date: "2026-03-20T22:30:00Z"),
        Row(
            testDescription: "winter time, a clock that was set after the start of summer time",
            compared: "2026-04-10T12:00:00Z", drift: 0, shown: "2026-03-20T23:30:00Z",
            date: "2026-03-20T22:30:00Z"),
        Row(
            testDescription: "winter time, a clock that was not set and is 20 s ahead",
            compared: "2026-04-10T12:00:00Z", drift: -3_580, shown: "2026-03-20T23:30:00Z",
            date: "2026-03-20T22:29:40Z"),
        Row(
            testDescription: "summer time, a clock that still shows winter time",
            compared: "2026-04-10T12:00:00Z", drift: -3_600, shown: "2026-04-05T22:00:00Z",
            date: "2026-04-05T21:00:00Z"),
        Row(
            testDescription: "an hour that summer time skips",
            compared: "2026-03-29T12:00:00Z", drift: -3_600, shown: "2026-03-29T02:30:00Z",
            date: "2026-03-29T01:30:00Z"),
        Row(
            testDescription: "summer time, a clock that was not set at the end of summer time",
            compared: "2026-11-10T12:00:00Z", drift: 3_600, shown: "2026-10-20T23:30:00Z",
            date: "2026-10-20T21:30:00Z"),
        Row(
            testDescription: "a clock that is a day ahead",
            compared: "2026-11-10T12:00:00Z", drift: 86_400, shown: "2026-11-10T13:00:00Z",
            date: "2026-11-09T12:00:00Z"),
        Row(
            testDescription: "a clock that is an hour ahead since the end of summer time",
            compared: "2026-11-10T12:00:00Z", drift: 3_600, shown: "2026-11-10T14:00:00Z",
            date: "2026-11-10T12:00:00Z"),
    ]

    @Test(arguments: rows)
    func `converts a capture time before or after a daylight saving change`(row: Row) throws {
        let clock = CameraClock(
            zone: try #require(TimeZone(identifier: "Europe/Berlin")), driftSeconds: row.drift,
            comparedAt: try Date(row.compared, strategy: .iso8601))
        let shown = try Date(row.shown, strategy: .iso8601)
        let date = clock.date(of: WallClock(seconds: Int64(shown.timeIntervalSince1970)))
        #expect(date == (try Date(row.date, strategy: .iso8601)))
    }
}
