import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of a change of the computer's time zone while the service runs, for example by timedatectl.
///
/// The service runs with its own copy of /etc, whose `localtime` the test replaces.
@Suite(
    .programs(2),
    .enabled(if: SmallDisk.isPossible, "needs root, and the right to mount"))
struct ZoneChangeTests {
    /// The longest time between a shot and its file on disk, in seconds. The zones differ by nine hours.
    private static let toleranceSeconds = 600.0

    private let folder: ScratchFolder
    private var zoneFile: String { folder.path("etc") + "/localtime" }

    init() throws { folder = try ScratchFolder() }

    /// The camera's clock shows the local time of each zone. Each photo must have the right capture time, and
    /// the day of the zone in which it was taken.
    @Test func `photos around a time zone change have the right time and day`() async throws {
        let (code, output) = try await RunningProgram.run(
            URL(filePath: "/bin/cp"), ["-a", "/etc", folder.path("etc")], in: folder)
        try #require(code == 0, "\(output)")
        try setZone("Asia/Kolkata")
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{date}/{camera}-{counter:03}.{ext}\""])
        try await rig.start(wrapper: [
            "/usr/bin/unshare", "-m", "/bin/sh", "-ec",
            "mount --bind \"$0\" /etc; unset TZ; exec \"$@\"", folder.path("etc"),
        ])
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let before = try await shoot(1, camera, rig)
        try check(before, in: "Asia/Kolkata")

        try setZone("America/St_Johns")
        try await rig.waitUntil("the service to see the zone") { _ -> Void? in
            rig.log.contains("the time zone of this computer changed") ? () : nil
        }
        let after = try await shoot(2, camera, rig)
        try check(after, in: "America/St_Johns")
        let both = try await rig.waitUntil("two records") { try $0.records.count == 2 && $0.isSettled }
        #expect(
            try both.records.first?.capturedAt == before.capturedAt, "an older photo keeps its capture time")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    private func setZone(_ name: String) throws {
        let new = zoneFile + ".new"
        try FileManager.default.createSymbolicLink(
            atPath: new, withDestinationPath: "/usr/share/zoneinfo/\(name)")
        try #require(rename(new, zoneFile) == 0)
    }

    /// Sets the camera's clock and takes a photo.
    private func shoot(_ number: Int, _ camera: Simulator, _ rig: DaemonRig) async throws -> CaptureReply {
        try await SetClocks.untilCorrect {
            try await RunningProgram.run(
                Programs.path("framefast"), ["clock", "a", "--set", "--json", "--socket", rig.socket],
                in: folder)
        }
        try camera.command("shoot")
        return try await rig.waitUntil("photo \(number) to be saved") { snapshot -> CaptureReply? in
            let records = try snapshot.records
            return records.count == number && records.last?.savedAt != nil ? records.last : nil
        }
    }

    private func check(_ photo: CaptureReply, in zone: String) throws {
        let (taken, saved) = (try #require(photo.capturedAt), try #require(photo.savedAt))
        #expect(abs(saved.timeIntervalSince(taken)) < Self.toleranceSeconds, "\(taken), saved \(saved)")
        let offset = try #require(TimeZone(identifier: zone)).secondsFromGMT(for: taken)
        let day = taken.addingTimeInterval(Double(offset)).formatted(.iso8601).prefix(10)
        #expect(photo.path?.contains("/\(day)/") == true, "\(photo.path ?? "") and \(day) in \(zone)")
    }
}
