import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// SIGHUP with cameras on the USB: a table may be for a body that is plugged in already.
@Suite(
    .serialized, .programs(4), .nightly("ReloadTests has a camera that comes and goes by its table"),
    .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBReloadTests {
    @Test func `a body that is plugged in takes the name of its new table, and its own again without`()
        async throws
    {
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
        let before = try await rig.status("both to be ready") { Self.ready($0).count == 2 }
        let other = try #require(before.cameras.first { $0.serial == "2222" }?.name)

        let table = ["[[camera]]", "name = \"left\"", "address = \"usb:serial=1111\""]
        try rig.configure(tables: table)
        rig.program?.signal(SIGHUP)
        try await rig.status("one to have its new name") { Self.ready($0) == [other, "left"].sorted() }
        try one.command("shoot")
        #expect(try await rig.settled(1).first?.cameraName == "left")

        try rig.configure(tables: [])
        rig.program?.signal(SIGHUP)
        try await rig.status("it to have its own name again") {
            Self.ready($0).count == 2 && !Self.ready($0).contains("left")
        }
        try one.command("shoot")
        try await rig.saved(2)
        // The other one was never let go.
        #expect(try bed.stats("1-2").claims == 1)
        #expect(
            rig.log.split(separator: "\n").count {
                $0.contains("camera=\(other)") && $0.hasSuffix("] connected")
            } <= 1)
        #expect(try await rig.stop() == 0)
    }

    private static func ready(_ status: StatusReply) -> [String] {
        status.cameras.filter { $0.state == .ready }.map(\.name).sorted()
    }
}
