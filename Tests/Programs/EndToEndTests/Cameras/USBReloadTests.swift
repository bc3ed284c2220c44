import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of a reload (SIGHUP) with USB cameras. A new table may apply to a body that is already plugged in.
@Suite(
    .serialized, .programs(4), .nightly("ReloadTests covers added and removed camera tables"),
    .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBReloadTests {
    @Test func `renames a plugged-in body when its table is added or removed`() async throws {
        let folder = try ScratchFolder()
        let one = try await Simulator(
            folder, name: "one", ["--maker", "canon", "--serial", "1111", "--size", "50KB"])
        let two = try await Simulator(
            folder, name: "two", ["--maker", "nikon", "--serial", "2222", "--size", "50KB"])
        let bed = try await USBBed(folder)
        try bed.plug(USBBedDevice(vendor: "04a9", product: "3294", serial: "1111", camera: one), at: "1-1")
        try bed.plug(USBBedDevice(vendor: "04b0", product: "0437", serial: "2222", camera: two), at: "1-2")
        let rig = try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try await rig.start(wrapper: bed.wrapper)
        let before = try await rig.status("both cameras to be ready") { Self.readyNames($0).count == 2 }
        let other = try #require(before.cameras.first { $0.serial == "2222" }?.name)

        let table = ["[[camera]]", "name = \"left\"", "address = \"usb:serial=1111\""]
        try rig.configure(tables: table)
        rig.program?.signal(SIGHUP)
        try await rig.status("the first camera to have its new name") {
            Self.readyNames($0) == [other, "left"].sorted()
        }
        try one.command("shoot")
        #expect(try await rig.waitUntilSettled(1).first?.cameraName == "left")

        try rig.configure(tables: [])
        rig.program?.signal(SIGHUP)
        try await rig.status("the first camera to have its old name again") {
            Self.readyNames($0).count == 2 && !Self.readyNames($0).contains("left")
        }
        try one.command("shoot")
        try await rig.waitUntilSaved(2)
        // The daemon never released the second camera.
        #expect(try bed.stats("1-2").claims == 1)
        #expect(
            rig.log.split(separator: "\n").count {
                $0.contains("camera=\(other)") && $0.hasSuffix("] connected")
            } <= 1)
        #expect(try await rig.stop() == 0)
    }

    private static func readyNames(_ status: StatusReply) -> [String] {
        status.cameras.filter { $0.state == .ready }.map(\.name).sorted()
    }
}
