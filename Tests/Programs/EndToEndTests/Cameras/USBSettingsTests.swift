import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of settings and clocks of USB cameras, through the service.
@Suite(
    .serialized, .programs(4),
    .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBSettingsTests {
    /// The product numbers are those of a D750, an EOS 80D and an X-T4.
    @Test(
        arguments: Tier.rows(
            [("nikon", "04b0:0437"), ("canon", "04a9:3294"), ("fuji", "04cb:02e6")], gate: 1))
    func `changes settings and sets the clock of a USB camera`(maker: String, identity: String) async throws {
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
        let drift = abs(try #require(clock.driftMs))
        // The drift was 5,000 s before. The remaining drift depends on how busy the machine is.
        #expect(drift <= (Tier.isNight ? 1_000 : 60_000), "\(clock)")
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        #expect(try await rig.stop() == 0)
    }

    /// libgphoto2 sets the port's timeout to one second for a Sony's frames. If a frame fails, libgphoto2
    /// does not restore the timeout. A slower photo would then end the connection.
    @Test func `keeps a Sony's usual photo timeout after a failed frame`() async throws {
        let folder = try ScratchFolder()
        // The photo is small, because the driver reads an object of unknown length in chunks of 512 bytes. On
        // this bus, a large photo has an unknown length.
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "1MB"])
        let bed = try await USBBed(folder, camera: camera, identity: "054c:0c34")
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        // At first, the camera has no picture. Then the request for the picture fails.
        try camera.command("fault response:0x200f @op 0x1009")
        try camera.command("fault general-error*always @op 0x1009")
        #expect(throws: ClientError.self) { try rig.client.picture(of: "studio-u", LiveViewRequest()) }
        try camera.command("clear-faults")
        try await rig.status("live view to end") { $0.cameras.first?.isLive == false }
        let opened = try requests(camera)["openSession"]
        // The delay is longer than one second and shorter than the daemon's own timeout.
        try camera.command("fault stall:1800 @op 0x1009")
        try camera.command("fault stall:1800 @op 0x101b")
        try camera.command("shoot")
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [], "[loss] wrong photos of the camera")
        #expect(try requests(camera)["openSession"] == opened)
        #expect(try await rig.stop() == 0)
    }

    /// A client command during which the cable is pulled, and a body that supports the command. The bodies
    /// are an EOS 80D and a D750.
    struct Row: CustomTestStringConvertible {
        var maker: String
        var identity: String
        var work: [String]
        var testDescription: String { "\(maker), \(work[0])" }
    }

    private static let rows = [
        Row(maker: "nikon", identity: "04b0:0437", work: ["live", "studio-u", "--mjpeg"]),
        Row(maker: "canon", identity: "04a9:3294", work: ["bulb", "studio-u", "600s"]),
    ]

    @Test(arguments: Tier.rows(rows, gate: 1))
    func `restores the camera and closes its shutter after the cable was pulled`(row: Row) async throws {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", row.maker, "--size", "50KB"])
        let before = try camera.body()
        let bed = try await USBBed(folder, camera: camera, identity: row.identity)
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let idle = try camera.body()
        let client = try RunningProgram(
            Programs.path("framefast"), row.work + ["--socket", rig.socket],
            log: rig.folder.url.appending(path: "client.log"))
        try await eventually("the work to begin: \(client.output)") {
            try camera.isLive() || camera.shutter().open ? () : nil
        }
        try await eventually("the body to change") { try camera.body() != idle ? () : nil }

        try bed.unplug()
        #expect(try await client.waitUntilExit() != 0, "\(client.output)")
        try await rig.waitUntilDisconnected()
        try bed.plug()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        var now: [String: Int] = [:]
        // A timeout is ignored, because the expectations below report the differences.
        try? await eventually("the camera to have its previous state") { () -> Void? in
            now = try camera.body()
            return try now == idle && !camera.isLive() && !camera.shutter().open ? () : nil
        }
        #expect(Simulator.changes(from: idle, to: now) == [])
        #expect(try !camera.isLive() && !camera.shutter().open)
        let hashes = try camera.truth().map(\.sha256)
        #expect(hashes.count == (row.work[0] == "bulb" ? 1 : 0))
        let wrong = try await rig.untilIntact(hashes: hashes)
        #expect(wrong == [])
        #expect(try await rig.stop() == 0)
        #expect(Simulator.changes(from: before, to: try camera.body()) == [])
    }

    private func requests(_ camera: Simulator) throws -> [String: Int] {
        struct Statistics: Decodable { var requests: [String: Int] }
        let line = try camera.command("stats")
        return try JSONDecoder().decode(Statistics.self, from: Data(line.drop { $0 != "{" }.utf8)).requests
    }

    /// Like FrameFast, gphoto2 detects this camera by its USB class. gphoto2 reads the values after the
    /// service has stopped, because a camera allows only one session.
    @Test(.enabled(if: StockGPhoto.isInstalled, "gphoto2 is not installed"))
    func `gphoto2 and the service read the same values of a camera`() async throws {
        let folder = try ScratchFolder()
        let onCable = try await Simulator(folder, name: "cable")
        let onNetwork = try await Simulator(folder, name: "network")
        let bed = try await USBBed(folder, camera: onCable)
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:"), ("studio-n", onNetwork.address)],
            environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        let port = try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("both cameras to be ready") { status in
            status.cameras.count == 2 && status.cameras.allSatisfy { $0.state == .ready }
        }
        let request = SettingsChangeRequest(changes: ["iso": "800", "aperture": "5.6", "shutter": "1/125"])
        var settings: [String: [SettingReply]] = [:]
        for camera in ["studio-u", "studio-n"] {
            let reference = CameraReference(rawValue: camera)
            let results = try rig.client.call(\.cameras.changeSettings, reference, request).value.results
            let isDone = results.allSatisfy(\.isDone)
            #expect(isDone, "\(camera): \(results)")
            // The service restores the capture target at the end of the connection, so the test omits it.
            settings[camera] = try rig.client.call(\.cameras.settings, reference, SettingsQuery()).value
                .settings.filter { $0.key != "capture_target" }
        }
        #expect(try await rig.stop() == 0)
        let (cable, network) = (settings["studio-u"] ?? [], settings["studio-n"] ?? [])
        #expect(cable.count > 5)
        #expect(cable.map { [$0.key, $0.value ?? ""] } == network.map { [$0.key, $0.value ?? ""] })

        let ports: [(String, [SettingReply], [String])] = [
            (port, cable, bed.wrapper), (onNetwork.address, network, []),
        ]
        for (address, ours, wrapper) in ports {
            let stock = try StockGPhoto.values(of: ours.map(\.name), on: address, wrapper: wrapper)
            for setting in ours {
                #expect(stock[setting.name] == setting.cameraValue, "\(address): \(setting.name)")
            }
        }
    }

    /// The product numbers are those of an EOS 80D, a D750, an X-T4 and an α7 III. libgphoto2 uses different
    /// tables for the same model over the network. FrameFast must report the same values.
    @Test(
        arguments: Tier.rows(
            [("canon", "04a9:3294"), ("nikon", "04b0:0437"), ("fuji", "04cb:02e6"), ("sony", "054c:0c34")],
            gate: 1))
    func `a setting has the same value over USB and over the network`(maker: String, identity: String)
        async throws
    {
        let folder = try ScratchFolder()
        let onCable = try await Simulator(folder, name: "cable", ["--maker", maker])
        let onNetwork = try await Simulator(folder, name: "network", ["--maker", maker])
        let bed = try await USBBed(folder, camera: onCable, identity: identity)
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:"), ("studio-n", onNetwork.address)],
            environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("both cameras to be ready") { status in
            status.cameras.count == 2 && status.cameras.allSatisfy { $0.state == .ready }
        }
        func values(_ camera: CameraReference) throws -> [String: [String?]] {
            let settings = try rig.client.call(\.cameras.settings, camera, SettingsQuery()).value.settings
            return settings.reduce(into: [:]) { found, setting in
                // A Sony lists no modes. libgphoto2 uses its own tables instead: one for USB, and one for the
                // network.
                let choices = maker == "sony" && setting.key == "mode" ? [] : setting.choices
                found[setting.key] = [setting.value] + choices.sorted().map { .some($0) }
            }
        }
        let (cable, network) = (try values("studio-u"), try values("studio-n"))
        #expect(cable.count > 5 && cable.keys.contains("iso") && cable.keys.contains("white_balance"))
        for key in Set(cable.keys).union(network.keys) { #expect(cable[key] == network[key], "\(key)") }
        #expect(try await rig.stop() == 0)
    }
}
