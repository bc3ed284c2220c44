import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Whole sessions over USB with cameras that libgphoto2 knows by number and speaks to in their maker's dialect.
@Suite(.serialized, .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBMakerSessionTests {
    struct Body: CustomTestStringConvertible {
        var maker: String
        var identity: String
        /// What the camera is set to in its own menu, if that can be chosen.
        var own: String?
        /// What it is set to while the session lasts: photos are kept on the card where there is one.
        var during: String
        /// What it is set to afterwards.
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

    /// EOS 80D, D750, A7 III in PC Remote, X-T4.
    @Test(arguments: [
        Body(maker: "canon", identity: "04a9:3294", own: nil, during: "card", after: "card"),
        Body(maker: "nikon", identity: "04b0:0437", own: "host", during: "card", after: "host"),
        Body(maker: "sony", identity: "054c:0c34", own: "host", during: "card+host", after: "host"),
        Body(maker: "fuji", identity: "04cb:02e6", own: nil, during: "host", after: "host"),
    ])
    func `shutter and trigger both arrive as pairs, and the camera gets its own setting back`(body: Body)
        async throws
    {
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
        try await rig.saved(2)
        _ = try rig.client.trigger(camera: "studio-u")
        try await rig.saved(4)
        try camera.command("burst 3 0")
        try await rig.saved(10)
        _ = try rig.client.trigger(camera: "studio-u")
        try await rig.saved(12)

        let truth = try camera.truth()
        let records = try rig.records()
        #expect(truth.count == 12)
        #expect(records.compactMap(\.sha256).sorted() == truth.map(\.sha256).sorted())
        #expect(try rig.files().values.sorted() == truth.map(\.sha256).sorted())
        #expect(rig.parts().isEmpty)
        // Camera's own names, also where the photos came from its memory; raw and picture of each shot share theirs.
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

    @Test func `thirty shots come through a Fujifilm's memory that holds thirteen`() async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(
            folder, ["--maker", "fuji", "--size", "300KB", "--pairs", "--buffer", "13"])
        let bed = try await USBBed(folder, camera: camera, identity: "04cb:02e6")
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], capture: ["existing = \"skip\""],
            environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        // Five wait already when the service comes, and names begin anew then: five pairs of namesakes. In a memory
        // there is nothing to leave alone.
        try camera.command("clock-offset -60")
        for _ in 0..<5 { try camera.command("shoot") }
        try camera.command("clock-offset 0")
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        for shot in 6...30 {
            // The shutter refuses while the memory is full.
            try await eventually("room for shot \(shot)") { try? camera.command("shoot") }
        }
        try await rig.saved(60)
        try await eventually("the memory to be empty") { try state(camera).lamp == "off" ? () : nil }
        let truth = try camera.truth()
        #expect(truth.count == 60)
        #expect(try rig.files().values.sorted() == truth.map(\.sha256).sorted())
        #expect(try await rig.stop() == 0)
    }

    /// The driver's names begin anew with each session, and a Sony's uncompressed raw files are all of one size.
    @Test func `photos of one size and one second are told apart, also over two sessions`() async throws {
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
            try await rig.saved(session * 4)
            try bed.unplug()
            try await rig.status("the camera to be missed") { $0.cameras.first?.state != .ready }
        }
        let truth = try camera.truth()
        #expect(truth.count == 8 && Set(truth.map(\.size)).count == 1)
        #expect(try rig.files().values.sorted() == truth.map(\.sha256).sorted())
        #expect(try rig.records().count == 8)
        #expect(try await rig.stop() == 0)
    }
}
