import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Settings and clocks of cameras on a cable, through the service.
@Suite(.serialized, .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBSettingsTests {
    /// EOS 80D, D750, X-T4.
    @Test(arguments: [("canon", "04a9:3294"), ("nikon", "04b0:0437"), ("fuji", "04cb:02e6")])
    func `a camera on a cable takes settings and the time`(maker: String, identity: String) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", maker, "--size", "100KB"])
        try camera.command("clock-offset 5000")
        let bed = try await USBBed(folder, camera: camera, identity: identity)
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let request = SettingsChangeRequest(changes: ["iso": "800", "aperture": "5.6"])
        let results = try rig.client.call(\.cameras.changeSettings, "studio-u", request).value.results
        #expect(results.map(\.result) == [.set, .set], "\(results)")
        #expect(results.compactMap(\.value).sorted() == ["5.6", "800"])
        let clock = try #require(rig.client.call(\.cameras.setClock, "studio-u").value.clocks.first)
        #expect(abs(try #require(clock.driftMs)) <= 1_000, "\(clock)")
        try camera.command("shoot")
        try await rig.saved(1)
        #expect(try await rig.stop() == 0)
    }
}
