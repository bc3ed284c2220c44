import Foundation
import Glibc
import TestRig
import Testing

/// Tests of finding the driver or program that uses a device, checking access to a device, and resetting a
/// device.
@Suite(
    .serialized, .programs(3), .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct HolderTests {
    private static let camera = USBBedDevice(vendor: "04b0", product: "0437", serial: "3001234")
    private static let card = USBBedDevice(
        vendor: "054c", product: "0c02", interfaces: [.init(8, 6, 80, driver: "usb-storage")])

    @Test func `names the kernel driver or program that uses a device`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        let card = try #require(try await watch.waitFor("arrived", bed.plug(Self.card, at: "1-1")).node)
        let camera = try #require(try await watch.waitFor("arrived", bed.plug(Self.camera, at: "1-2")).node)
        #expect(try await watch.send("holder \(card)").driver == "usb-storage")
        #expect(try await watch.send("holder \(camera)").free == true)

        let pid = try bed.hold("1-2", by: "gvfsd-gphoto2")
        let holder = try await watch.send("holder \(camera)")
        #expect(holder.pid == pid && holder.name == "gvfsd-gphoto2")
        // The daemon's own worker is not reported.
        #expect(try await watch.send("holder \(camera) \(pid)").free == true)

        // The user ends that program.
        kill(pid, SIGTERM)
        try await eventually("the camera to be free") {
            kill(pid, 0) == 0 ? nil : ()
        }
        #expect(try await watch.send("holder \(camera)").free == true)
        #expect(try bed.stats("1-1").calls == 0 && bed.stats("1-2").calls == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run a program as another user"))
    func `reports a denied node without opening it`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let nobody = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        let watch = try WatchingProgram(bed, folder, asUser: nobody)
        let node = try #require(try await watch.waitFor("arrived", bed.plug(Self.camera, at: "1-1")).node)
        try bed.setMode(0o640, of: "1-1")
        let denied = try await watch.send("access \(node)")
        #expect(denied.access == "denied" && denied.owner == "root" && denied.mode == "640")
        #expect(denied.group?.isEmpty == false)
        #expect(try bed.stats("1-1").calls == 0)
        #expect(try await watch.send("reset \(node)").error == "cannot open \(node): permission denied")
        // Another user's program is not visible, but the kernel shows that a program has claimed the device.
        _ = try bed.hold("1-1", by: "darktable")
        #expect(try await watch.send("holder \(node)").hidden == true)
        try bed.free("1-1")
        try bed.setMode(0o666, of: "1-1")
        #expect(try await watch.send("access \(node)").access == "allowed")
        try bed.unplug("1-1")
        #expect(try await watch.send("access \(node)").access == "missing")
    }

    @Test func `resets a device and fails for an unplugged device`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        let seen = try await watch.waitFor("arrived", bed.plug(Self.camera, at: "1-1"))
        let node = try #require(seen.node)
        #expect(try await watch.send("reset \(node)").reset == true)
        let stats = try bed.stats("1-1")
        #expect(stats.resets == 1 && stats.claims == 0 && stats.detached == 0)
        try bed.unplug("1-1")
        try await watch.waitFor("left", #require(seen.driverPort))
        #expect(
            try await watch.send("reset \(node)").error
                == "cannot reach the device at USB port 1-1: it is unplugged")
    }
}
