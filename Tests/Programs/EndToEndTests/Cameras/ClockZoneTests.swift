import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of setting a camera's clock from a service whose time zone is not UTC.
@Suite(
    .serialized, .programs(3),
    .enabled(if: StockGPhoto.isInstalled, "gphoto2 is not installed"))
struct ClockZoneTests {
    /// On any date, Adelaide or Berlin has summer time.
    private static let rows = [
        ("canon", "Asia/Kolkata"), ("canon", "America/St_Johns"), ("nikon", "America/St_Johns"),
        ("canon", "Australia/Adelaide"), ("nikon", "Europe/Berlin"),
    ]

    /// A camera's clock shows local time. Zones with half-hour offsets reveal a driver or a service that uses
    /// the wrong zone.
    @Test(arguments: Tier.rows(rows, gate: 1))
    func `sets the camera clock to local time in the service's zone`(
        maker: String, zone: String
    ) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker])
        try camera.command("clock-offset 4000")
        let rig = try DaemonRig(cameras: [("studio", camera.address)], environment: ["TZ": zone])
        try await rig.start()
        let before = try await rig.status("the camera to be ready, and its clock drift to be reported") {
            $0.cameras.first?.state == .ready && $0.says("clock-drift")
        }
        let reply = try await SetClocks.untilCorrect {
            try await PrintedCommand.run(of: "clock-drift", in: before, on: rig, adding: ["--json"])
        }
        try await rig.status("the condition to end") { !$0.says("clock-drift") }
        // The tolerance is smaller than the clock's old offset, and smaller than half an hour. A nightly run
        // measures the drift to one second.
        let tolerance = Tier.isNight ? 1 : 600
        #expect(reply.clocks.map { abs($0.drift_ms) <= tolerance * 1_000 } == [true], "\(reply)")
        #expect(try await rig.stop() == 0)

        let timeZone = try #require(TimeZone(identifier: zone))
        func wall() -> Int { Int(Date().timeIntervalSince1970) + timeZone.secondsFromGMT() }
        let earliest = wall() - tolerance
        let stock = try StockGPhoto.run(["--get-config", "datetime"], on: camera.address)
        let latest = wall() + tolerance
        let clock = try #require(stock.text.firstMatch(of: #/Current: (\d+)/#).flatMap { Int($0.1) })
        #expect((earliest...latest).contains(clock), "\(earliest)...\(latest): \(stock.text)")
    }
}
