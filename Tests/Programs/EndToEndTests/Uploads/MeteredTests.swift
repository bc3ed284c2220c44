import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of uploads on a metered network. The service holds the uploads until the network is not metered.
@Suite(.serialized, .programs(2)) struct MeteredTests {
    private static func tables(_ folder: ScratchFolder, _ upload: [String]) -> [String] {
        ["[upload]", "metered_interval = \"200 ms\""] + upload + [
            "[[destination]]", "name = \"cloud\"", "kind = \"directory\"", "metered = \"hold\"",
            "path = \"\(folder.path("cloud"))\"",
            "[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(folder.path("nas"))\"",
        ]
    }

    private func checkHoldAndResume(
        _ rig: DaemonRig, _ camera: Simulator, _ setMetered: (_ isMetered: Bool) throws -> Void
    )
        async throws
    {
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 3")
        let status = try await rig.status(
            "one destination to have the photos, the other to be reported as metered"
        ) {
            $0.uploads.delivered == 3 && $0.uploads.queued == 3 && $0.says("destination-metered")
                && $0.destinations.map(\.state) == [.metered, .ready]
        }
        let condition = try #require(status.conditions.first { $0.code == "destination-metered" })
        #expect(condition.subject == "cloud" && condition.nextStep != nil)
        let (code, shown) = try await RunningProgram.run(
            Programs.path("framefast"), ["destinations", "--plain", "--socket", rig.socket], in: rig.folder)
        #expect(code == 0 && shown.contains("destination cloud: Metered"))
        try setMetered(false)
        try await rig.status("the held photos to be delivered") {
            $0.uploads.delivered == 6 && $0.destinations.first?.state == .ready
                && !$0.conditions.contains { $0.code == "destination-metered" }
        }
        try setMetered(true)
        try await rig.status("the destination to be metered again") {
            $0.destinations.first?.state == .metered
        }
        try camera.command("shoot")
        try await rig.status("one more photo to be queued") {
            $0.uploads.delivered == 7 && $0.uploads.queued == 1
        }
        try setMetered(false)
        try await rig.status("all photos to be delivered, and no condition") {
            $0.uploads.delivered == 8 && $0.conditions.isEmpty
        }
        #expect(try await rig.stop() == 0)
    }

    @Test(
        .nightly("in the gate, the test with a configured command covers the held uploads"),
        .enabled(if: PrivateBus.obstacle == nil, "a private bus needs dbus-daemon, busctl and python3-gi"))
    func `holds uploads while NetworkManager reports a metered network and resumes afterwards`()
        async throws
    {
        let folder = try ScratchFolder()
        let bus = try await PrivateBus(folder, metered: 3)
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], tables: Self.tables(folder, []), environment: bus.environment)
        try await checkHoldAndResume(rig, camera) { try bus.setMetered($0 ? 1 : 4) }
    }

    @Test func `holds uploads while a configured command reports a metered network`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let flag = folder.path("metered")
        try Data().write(to: URL(filePath: flag))
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: Self.tables(folder, ["metered_command = [\"/usr/bin/test\", \"-e\", \"\(flag)\"]"]))
        try await checkHoldAndResume(rig, camera) { isMetered in
            if isMetered {
                try Data().write(to: URL(filePath: flag))
            } else {
                try FileManager.default.removeItem(atPath: flag)
            }
        }
    }

    @Test(.nightly("NetworkCostTests covers each result"))
    func `uploads and reports a condition when the network's cost is unknown`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], tables: Self.tables(folder, []),
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path("no-bus"))"])
        try await rig.start()
        try camera.command("shoot 2")
        let status = try await rig.status("all to be delivered, and the condition") {
            $0.uploads.delivered == 4 && $0.says("metered-unknown")
        }
        let condition = try #require(status.conditions.first { $0.code == "metered-unknown" })
        #expect(condition.nextStep?.contains("metered_command") == true)
        #expect(try await rig.stop() == 0)
    }
}
