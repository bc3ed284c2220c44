import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

@Suite(.serialized) struct SessionTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func ready(_ rig: DaemonRig) async throws {
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
    }

    @Test func `photos go to the session that runs, and its numbers go on after a restart`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            capture: ["template = \"{session}/{camera}-{counter:03}.{ext}\""])
        try await rig.start()
        try await ready(rig)
        try camera.command("shoot")
        try await rig.saved(1)
        let wedding = try rig.client.call(\.sessions.start, .init(name: "Bangkok/Wedding")).value
        try camera.command("shoot-pair")
        try await rig.saved(3)
        try await rig.stop()
        try await rig.start()
        try await ready(rig)
        #expect(try rig.status().session?.id == wedding.id)
        try camera.command("shoot")
        let status = try await rig.saved(4)
        #expect(status.session?.captures == 3)
        #expect(try rig.client.call(\.sessions.stop).value.endedAt != nil)
        try camera.command("shoot")
        try await rig.saved(5)

        #expect(
            Set(try rig.files().keys) == [
                "unsorted/a-001.jpg", "Bangkok_Wedding/a-001.dng", "Bangkok_Wedding/a-001.jpg",
                "Bangkok_Wedding/a-002.jpg", "unsorted/a-002.jpg",
            ])
        #expect(try rig.records().map(\.session) == [nil, wedding.id, wedding.id, wedding.id, nil])
        let wrong = try rig.differences(from: camera.truth())
        #expect(wrong == [])
    }

    @Test func `a session that is started with a mode uploads by it, and the others by theirs`() async throws
    {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"",
            ])
        try await rig.start()
        try await ready(rig)
        func start(_ arguments: String...) async throws -> (status: Int32, output: String) {
            try await RunningProgram.run(
                Programs.path("framefast"),
                ["session", "start", "--plain", "--socket", rig.socket] + arguments,
                in: folder)
        }
        #expect(try await start("Later", "--mode", "nonsense").status == 2)
        #expect(try await start("Later", "--mode", "offline").status == 0)
        try camera.command("shoot 2")
        try await rig.status("both to be held") { $0.uploads.held == 2 }
        #expect(try await start("Now").status == 0)
        try camera.command("shoot")
        let status = try await rig.status("the third to be delivered") { $0.uploads.delivered == 1 }
        #expect(status.uploads.held == 2)
    }

    @Test func `only what is saved is deleted on the camera`() async throws {
        let camera = try await Simulator(folder, ["--size", "300KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], capture: ["delete_after_save = true"])
        rig.expectedErrors = ["condition=photo-damaged"]
        try await rig.start()
        try await ready(rig)
        try camera.command("fault truncated@shot 2")
        try camera.command("shoot 4")
        try await rig.settled(4)
        try await eventually("the saved ones to be deleted") {
            try camera.command("stats").contains("\"files\":1,") ? () : nil
        }
        let left = try #require(try rig.records().first { $0.state == .damaged })
        let wrong = try rig.differences(from: camera.truth().filter { $0.name != left.originalName })
        #expect(wrong == [])
        // Deleting is no news that loses the camera's place.
        try camera.command("shoot")
        try await rig.saved(4)
    }

    @Test func `what was on the card at the first meeting may be left there`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB", "--existing", "5"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], capture: ["existing = \"skip\""])
        try await rig.start()
        try await ready(rig)
        try camera.command("shoot")
        try await rig.saved(1)
        try await rig.stop()
        // Taken while nobody looked: not from before the first meeting.
        try camera.command("shoot")
        try await rig.start()
        try await rig.saved(2)
        let wrong = try rig.differences(from: camera.truth().filter { $0.shot > 0 })
        #expect(wrong == [])
        #expect(try rig.records().count == rig.status().captures.total)
    }

    @Test func `a shot during the first look at the card is not taken for an old one`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB", "--existing", "5"])
        // The look takes its time.
        try camera.command("fault stall:700*3@op 0x1008")
        let rig = try DaemonRig(cameras: [("a", camera.address)], capture: ["existing = \"skip\""])
        try await rig.start()
        try await rig.status("the camera to be connected") { $0.cameras.first?.firmware != nil }
        try camera.command("shoot")
        try await rig.saved(1)
        try await ready(rig)
        let wrong = try rig.differences(from: camera.truth().filter { $0.shot > 0 })
        #expect(wrong == [])
        #expect(try rig.records().count == rig.status().captures.total)
    }

    @Test func `a camera clock that is wrong is shown, and photos keep the camera's time`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB", "--clock-offset=-7200"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        let status = try await rig.status("the drift to be noticed") {
            $0.conditions.contains { $0.code == "clock-drift" }
        }
        let drift = try #require(status.cameras.first?.clockDriftSeconds)
        #expect((-7203 ... -7197).contains(drift))
        try camera.command("shoot")
        try await rig.saved(1)
        let record = try #require(try rig.records().first)
        let captured = try #require(record.capturedAt)
        #expect((7190...7210).contains(record.detectedAt.timeIntervalSince(captured)))
        try camera.command("clock-offset 0")
        try await rig.status("the drift to be gone") { $0.conditions.isEmpty }
    }
}
