import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of complete USB connections with cameras that libgphoto2 recognizes by product number and controls
/// with their maker's commands.
@Suite(
    .serialized, .programs(4),
    .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBMakerSessionTests {
    struct Body: CustomTestStringConvertible {
        var maker: String
        var identity: String
        /// The capture target in the camera's own menu, or `nil` if the camera has no such menu.
        var own: String?
        /// The capture target while the camera is connected. A camera with a card also keeps its photos on
        /// the card.
        var during: String
        /// The capture target after the connection.
        var after: String
        var testDescription: String { "\(maker) \(identity)" }
    }

    private struct State: Decodable {
        var target: String
        var body_locked: Bool
        var lamp: String
        var crashes: Int
        var shots: Int
    }

    private func state(_ camera: Simulator) throws -> State {
        try JSONDecoder().decode(State.self, from: Data(camera.command("stats").utf8))
    }

    /// The bodies: an EOS 80D, a D750, an A7 III in PC Remote, and an X-T4.
    static let bodies = [
        Body(maker: "canon", identity: "04a9:3294", own: nil, during: "card", after: "card"),
        Body(maker: "nikon", identity: "04b0:0437", own: "host", during: "card", after: "host"),
        Body(maker: "sony", identity: "054c:0c34", own: "host", during: "card+host", after: "host"),
        Body(maker: "fuji", identity: "04cb:02e6", own: nil, during: "host", after: "host"),
    ]

    @Test(arguments: Tier.rows(bodies, gate: bodies.filter { $0.maker == "sony" }))
    func `saves pairs taken by button or trigger and restores the capture target`(body: Body) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", body.maker, "--size", "300KB", "--pairs"])
        if let own = body.own { try camera.command("target \(own)") }
        let bed = try await USBBed(folder, camera: camera, identity: body.identity)
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try await eventually("the target to be set") {
            try state(camera).target == body.during ? () : nil
        }
        #expect(try !state(camera).body_locked)

        try camera.command("shoot")
        try await rig.waitUntilSaved(2)
        _ = try rig.client.trigger(camera: "studio-u")
        try await rig.waitUntilSaved(4)
        try camera.command("burst 3 0")
        try await rig.waitUntilSaved(10)
        _ = try rig.client.trigger(camera: "studio-u")
        try await rig.waitUntilSaved(12)

        let truth = try camera.truth()
        #expect(truth.count == 12)
        let wrong = try await rig.untilIntact(hashes: truth.map(\.sha256))
        #expect(wrong == [])
        let records = try await rig.waitUntilSettled(12)
        // Photos from the camera's memory have the camera's own names, too. The RAW and JPEG of a shot share
        // a name.
        #expect(records.map(\.originalName).sorted() == truth.map(\.name).sorted())
        for (_, shot) in Dictionary(grouping: truth, by: \.shot) {
            let pair = records.filter { shot.map(\.name).contains($0.originalName) }
            #expect(pair.count == 2 && Set(pair.map(\.shotID)).count == 1)
        }
        #expect(try state(camera).crashes == 0)
        #expect(try !state(camera).body_locked)
        if body.maker == "fuji" {
            try await eventually("the memory to be empty") { try state(camera).lamp == "off" ? () : nil }
        }
        #expect(try await rig.stop() == 0)
        #expect(try state(camera).target == body.after)
    }

    @Test(.nightly("takes thirty shots; CampaignTests covers a Fujifilm's memory"))
    func `saves thirty shots through a Fujifilm memory of thirteen shots`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(
            folder, ["--maker", "fuji", "--size", "300KB", "--pairs", "--buffer", "13"])
        let bed = try await USBBed(folder, camera: camera, identity: "04cb:02e6")
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], capture: ["existing = \"skip\""],
            environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        // Five shots are waiting when the service starts. File names restart with each connection, so five
        // pairs have the same names. `existing = "skip"` does not apply to a camera's memory.
        try camera.command("clock-offset -60")
        for _ in 0..<5 { try camera.command("shoot") }
        try camera.command("clock-offset 0")
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for shot in 6...30 {
            // The camera refuses to release the shutter while its memory is full.
            try await eventually("space for shot \(shot)", within: 60) { try? camera.command("shoot") }
        }
        try await rig.waitUntilSaved(60)
        try await eventually("the memory to be empty") { try state(camera).lamp == "off" ? () : nil }
        let truth = try camera.truth()
        #expect(truth.count == 60)
        let wrong = try await rig.untilIntact(hashes: truth.map(\.sha256))
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }

    /// The driver's names restart with each connection, and all uncompressed RAW files of a Sony have the
    /// same size.
    @Test(.nightly("in the gate, the pairs of a Sony cover the names that the driver generates"))
    func `distinguishes photos of the same size and second over two connections`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "200KB", "--raw-only"])
        let bed = try await USBBed(folder, camera: camera, identity: "054c:0c34")
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        for session in 1...2 {
            try bed.plug()
            if session == 1 { try await rig.start(wrapper: bed.wrapper) }
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
            try camera.command("burst 4 0")
            try await rig.waitUntilSaved(session * 4)
            try bed.unplug()
            try await rig.waitUntilDisconnected()
        }
        let truth = try camera.truth()
        #expect(truth.count == 8 && Set(truth.map(\.size)).count == 1)
        let wrong = try await rig.untilIntact(hashes: truth.map(\.sha256))
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
    }
}
