import Foundation
import Glibc
import TestRig
import Testing

/// Who holds a device, who may open it, and a reset.
@Suite(
    .serialized, .programs(3), .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct HolderTests {
    private static let camera = USBBedDevice(vendor: "04b0", product: "0437", serial: "3001234")
    private static let card = USBBedDevice(
        vendor: "054c", product: "0c02", interfaces: [.init(8, 6, 80, driver: "usb-storage")])

    @Test func `a kernel driver and a program that hold a device are named`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        let card = try #require(try await watch.sees("arrived", bed.plug(Self.card, at: "1-1")).node)
        let camera = try #require(try await watch.sees("arrived", bed.plug(Self.camera, at: "1-2")).node)
        #expect(try await watch.ask("holder \(card)").driver == "usb-storage")
        #expect(try await watch.ask("holder \(camera)").free == true)

        let pid = try bed.hold("1-2", by: "gvfsd-gphoto2")
        let holder = try await watch.ask("holder \(camera)")
        #expect(holder.pid == pid && holder.name == "gvfsd-gphoto2")
        // A worker of one's own is no news.
        #expect(try await watch.ask("holder \(camera) \(pid)").free == true)

        // The person ends that program.
        kill(pid, SIGTERM)
        try await eventually("the camera to be free") {
            kill(pid, 0) == 0 ? nil : ()
        }
        #expect(try await watch.ask("holder \(camera)").free == true)
        #expect(try bed.stats("1-1").calls == 0 && bed.stats("1-2").calls == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run a program as somebody else"))
    func `a node that may not be opened is told before it is opened`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let nobody = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        let watch = try WatchingProgram(bed, folder, asUser: nobody)
        let node = try #require(try await watch.sees("arrived", bed.plug(Self.camera, at: "1-1")).node)
        try bed.setMode(0o640, of: "1-1")
        let denied = try await watch.ask("access \(node)")
        #expect(denied.access == "denied" && denied.owner == "root" && denied.mode == "640")
        #expect(denied.group?.isEmpty == false)
        #expect(try bed.stats("1-1").calls == 0)
        #expect(try await watch.ask("reset \(node)").error == "cannot open \(node): permission denied")
        // Somebody else's program cannot be seen, but the kernel says that there is one.
        _ = try bed.hold("1-1", by: "darktable")
        #expect(try await watch.ask("holder \(node)").hidden == true)
        try bed.free("1-1")
        try bed.setMode(0o666, of: "1-1")
        #expect(try await watch.ask("access \(node)").access == "allowed")
        try bed.unplug("1-1")
        #expect(try await watch.ask("access \(node)").access == "missing")
    }

    @Test func `a device is reset, and one that is gone is not`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        let seen = try await watch.sees("arrived", bed.plug(Self.camera, at: "1-1"))
        let node = try #require(seen.node)
        #expect(try await watch.ask("reset \(node)").reset == true)
        let stats = try bed.stats("1-1")
        #expect(stats.resets == 1 && stats.claims == 0 && stats.detached == 0)
        try bed.unplug("1-1")
        try await watch.sees("left", #require(seen.driverPort))
        #expect(
            try await watch.ask("reset \(node)").error
                == "cannot reach the device at USB port 1-1: it is unplugged")
    }
}
