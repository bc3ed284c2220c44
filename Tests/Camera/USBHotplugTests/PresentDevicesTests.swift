import Foundation
import TestRig
import Testing

@testable import USBHotplug

@Suite struct PresentDevicesTests {
    private static func device(_ number: Int, at port: String) -> USBDevice {
        USBDevice(bus: 1, number: number, portPath: port, vendorID: 0x04A9, productID: 0x32DA, serial: "1")
    }

    /// Returns `false`, as for a device that is still plugged in.
    private static func isUnplugged(_: USBDevice) -> Bool { false }

    @Test func `reports each arrival and departure once`() {
        var present = PresentDevices()
        let camera = Self.device(4, at: "1-2")
        #expect(present.insert(camera, hasLeft: Self.isUnplugged) == [.arrived(camera)])
        #expect(present.insert(camera, hasLeft: Self.isUnplugged) == [])
        #expect(present.all == [camera])
        #expect(present.remove(bus: 1, number: 4) == .left(camera))
        #expect(present.remove(bus: 1, number: 4) == nil)
        #expect(present.all.isEmpty)
    }

    @Test func `an arrival at an occupied port reports the lost departure first`() {
        var present = PresentDevices()
        let (before, after) = (Self.device(4, at: "1-2"), Self.device(5, at: "1-2"))
        let other = Self.device(6, at: "1-2.1")
        _ = present.insert(before, hasLeft: Self.isUnplugged)
        _ = present.insert(other, hasLeft: Self.isUnplugged)
        #expect(present.insert(after, hasLeft: Self.isUnplugged) == [.left(before), .arrived(after)])
        #expect(Set(present.all) == [after, other])
        // The late departure of the earlier device is ignored.
        #expect(present.remove(bus: 1, number: 4) == nil)
    }

    @Test func `an arrival with a reused number reports the lost departure at the other port`() {
        var present = PresentDevices()
        let (before, after) = (Self.device(4, at: "1-2"), Self.device(4, at: "1-3"))
        _ = present.insert(before, hasLeft: Self.isUnplugged)
        #expect(present.insert(after, hasLeft: Self.isUnplugged) == [.left(before), .arrived(after)])
        #expect(present.all == [after])
    }

    @Test func `an arrival reports the lost departure of a device that moved to another port`() {
        var present = PresentDevices()
        let (before, after) = (Self.device(4, at: "1-2"), Self.device(5, at: "1-3"))
        _ = present.insert(before, hasLeft: Self.isUnplugged)
        let changes = present.insert(after) { $0 == before }
        #expect(changes == [.left(before), .arrived(after)])
        #expect(present.all == [after])
    }

    @Test(arguments: [("4\n", false), ("5\n", true), ("", false), (nil, false)] as [(String?, Bool)])
    func `a device has left if another device is at its port`(number: String?, hasLeft: Bool) throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("1-2"), withIntermediateDirectories: true)
        if let number { try Data(number.utf8).write(to: URL(filePath: folder.path("1-2/devnum"))) }
        #expect(Self.device(4, at: "1-2").hasLeft(in: folder.url.path) == hasLeft)
        #expect(Self.device(4, at: "1-3").hasLeft(in: folder.url.path))
    }
}
