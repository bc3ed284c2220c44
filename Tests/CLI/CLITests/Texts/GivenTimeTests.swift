import APIServer
import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import Testing

@testable import FrameFastCLI

/// Moments as people say them. Times of day are the host's, whose zone `TZ` decides: what is compared here holds in any.
@Suite struct GivenTimeTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    private func date(_ text: String) -> Date? { GivenTime(text, now: Self.now)?.date }

    @Test(arguments: [
        ("45s", 45.0), ("90m", 5_400), ("2h", 7_200), ("3d", 259_200), ("1w", 604_800), ("0s", 0),
    ])
    func `an age counts from now`(text: String, seconds: Double) {
        #expect(date(text) == Self.now - seconds)
    }

    @Test func `days and times of day are those of the host's calendar`() throws {
        let calendar = Calendar.current
        let today = calendar.startOfDay(for: Self.now)
        #expect(date("today") == today)
        #expect(date("yesterday") == calendar.date(byAdding: .day, value: -1, to: today))
        let parts = DateComponents(year: 2026, month: 5, day: 1, hour: 14, minute: 30)
        #expect(date("2026-05-01 14:30") == calendar.date(from: parts))
        #expect(date("2026-05-01") == calendar.date(from: DateComponents(year: 2026, month: 5, day: 1)))
        #expect(date("14:30:05") == calendar.date(bySettingHour: 14, minute: 30, second: 5, of: today))
        // The last day of February in a leap year, and what programs write.
        #expect(date("2028-02-29") != nil)
        #expect(date("2026-11-21T14:05:30Z") == Date(timeIntervalSince1970: 1_795_269_930))
    }

    /// What a person says, in the host's zone, and when that was in UTC.
    static let moments: [(zone: String, said: String, moment: String)] = [
        ("Asia/Kathmandu", "2026-05-01 14:30", "2026-05-01T08:45:00Z"),
        ("America/St_Johns", "2026-05-01 14:30", "2026-05-01T17:00:00Z"),
        ("America/St_Johns", "2026-12-01", "2026-12-01T03:30:00Z"),
        ("Pacific/Apia", "2026-05-01", "2026-04-30T11:00:00Z"),
        // Summer evenings, whose hour without summer time is one of the day after.
        ("Europe/Berlin", "2026-07-01 23:30", "2026-07-01T21:30:00Z"),
        // The hour that there is twice: since the first of the two. The one that is left out: the hour after it.
        ("Europe/Berlin", "2025-10-26 02:30", "2025-10-26T00:30:00Z"),
        ("Europe/Dublin", "2025-10-26 01:30", "2025-10-26T00:30:00Z"),
        ("America/St_Johns", "2025-11-02 01:30", "2025-11-02T04:00:00Z"),
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
        ("America/St_Johns", "2026-03-08 02:30", "2026-03-08T06:00:00Z"),
        // A day that begins at one o'clock.
        ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"),
    ]

    @Test func `times of day are those of the host's zone, also when summer time begins and ends`()
        async throws
    {
        let since = Mutex<Date?>(nil)
        let surface = ScriptedControlSurface { table in
            table.on(\.history.list) { query throws(ControlError) in
                since.withLock { $0 = query.since }
                return HistoryReply(steps: [])
            }
        }
        try await RunningServer.run(surface: surface) { server in
            for (zone, said, moment) in Self.moments {
                _ = try await ProgramRun.of(
                    ["audit", "--since", said, "--plain", "--socket", server.socketPath], zone: zone)
                let expected = try Date(moment, strategy: .iso8601)
                #expect(since.withLock { $0 } == expected, "\(said) in \(zone)")
            }
            // Samoa went to bed on the 29th and woke up on the 31st: there was no such day.
            let nothing = try await ProgramRun.of(
                ["audit", "--since", "2011-12-30", "--socket", server.socketPath], zone: "Pacific/Apia")
            #expect(nothing.status == 2)
        }
    }

    @Test(arguments: [
        "", "h", "2x", "-2h", "2026-02-29", "2026-13-01", "25:00", "12:60", "12:", "2026-05-01 ",
        "2026-05-01 14",
        "2026-05", "1-1-1", "99999999999h", "tomorrow", "2026-05-01 14:30 x",
    ])
    func `what is no moment is refused`(text: String) {
        #expect(date(text) == nil)
    }
}
