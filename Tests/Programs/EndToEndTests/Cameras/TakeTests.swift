import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// `framefast cameras take` beside a real service and a program that really has the camera.
@Suite(.serialized, .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct TakeTests {
    /// A camera that another program of this name has, and a service that wants it.
    private func held(by name: String, in folder: ScratchFolder) async throws
        -> (rig: DaemonRig, bed: USBBed, camera: Simulator, pid: Int32, id: CameraID)
    {
        let camera = try await Simulator(folder, ["--maker", "canon", "--serial", "1111"])
        let bed = try await USBBed(folder)
        let rig = try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try await rig.start(wrapper: bed.wrapper)
        try bed.plug(
            USBBedDevice(vendor: "04a9", product: "3294", serial: "1111", camera: camera), at: "1-1")
        let ready = try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let id = try #require(ready.cameras.first?.id)
        _ = try rig.client.call(\.cameras.ignore, CameraReference(id), .init(ignored: true))
        try await eventually("the camera to be let go") { try bed.stats("1-1").isOwned ? nil : () }
        let pid = try bed.hold("1-1", by: name)
        _ = try rig.client.call(\.cameras.ignore, CameraReference(id), .init(ignored: false))
        try await rig.status("the holder to be named") { status in
            status.conditions.contains { $0.code == "camera-held" }
        }
        return (rig, bed, camera, pid, id)
    }

    private func take(
        _ id: CameraID, _ rig: DaemonRig, _ bed: USBBed, _ options: [String] = [],
        path: String = "/usr/bin:/bin"
    ) async throws -> (status: Int32, output: String) {
        try await RunningProgram.run(
            URL(filePath: bed.wrapper[0]),
            bed.wrapper.dropFirst() + [
                Programs.path("framefast").path, "cameras", "take", id.rawValue, "--plain", "--socket",
                rig.socket,
            ] + options, in: rig.folder, environment: ["PATH": path])
    }

    @Test func `a camera that the desktop has is freed and tethered, once a person said so`() async throws {
        let folder = try ScratchFolder()
        let (rig, bed, camera, pid, id) = try await held(by: "gvfsd-gphoto2", in: folder)
        let port = try #require(try rig.client.call(\.cameras.get, CameraReference(id)).value.port)
        let node = "/dev/bus/usb/" + port.dropFirst("usb:".count).replacing(",", with: "/")
        // gvfs needs a login with a session bus; the service rig has one. Here gio's part is played by its words.
        let gio = folder.path("bin/gio")
        try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
        try """
        #!/bin/sh
        case "$*" in
            "mount --list --detail") printf "%s\\n" "Volume(0): EOS" " unix-device: '\(node)'" \\
                " activation_root=gphoto2://EOS/" ;;
            "mount --unmount gphoto2://EOS/") kill \(pid) ;;
            *) exit 1 ;;
        esac
        """.write(toFile: gio, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: gio)
        let path = folder.path("bin") + ":/usr/bin:/bin"

        // Nobody is there to be asked: nothing happens.
        let asked = try await take(id, rig, bed, path: path)
        #expect(asked.status == 2 && asked.output.contains("--yes"), "\(asked.output)")
        #expect(RunningProgram.isAlive(pid))

        let taken = try await take(id, rig, bed, ["--yes"], path: path)
        #expect(taken.status == 0, "\(taken.output)")
        #expect(taken.output.contains("gvfsd-gphoto2 (process \(pid) of "), "\(taken.output)")
        #expect(taken.output.contains("camera state: Ready"), "\(taken.output)")
        #expect(!RunningProgram.isAlive(pid))
        try camera.command("shoot")
        try await rig.saved(1)
        // Again there is nothing to do.
        let again = try await take(id, rig, bed, path: path)
        #expect(again.status == 0, "\(again.output)")
        #expect(try await rig.stop() == 0)
    }

    @Test func `a photo program is named and goes on`() async throws {
        let folder = try ScratchFolder()
        let (rig, bed, camera, pid, id) = try await held(by: "darktable", in: folder)
        let (status, output) = try await take(id, rig, bed, ["--yes"])
        #expect(status == 4, "\(output)")
        #expect(
            output.contains("darktable (process \(pid) of ")
                && output.contains("Close the camera in darktable"))
        #expect(RunningProgram.isAlive(pid))
        try bed.free("1-1")
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        try await rig.saved(1)
        #expect(try await rig.stop() == 0)
    }
}
