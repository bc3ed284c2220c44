import Foundation
import TestRig
import Testing

@testable import USBTopology

/// What is plugged in where, from folders as sysfs has them.
@Suite struct USBTreeTests {
    /// Makes a folder of devices as sysfs shows it: links, each to its place below its controller.
    private struct Devices {
        let folder: ScratchFolder
        var path: String { folder.path("bus") }

        init() throws {
            folder = try ScratchFolder()
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        func add(_ name: String, at place: String, _ files: [String: String]) throws {
            let real = folder.path("devices/\(place)/\(name)")
            try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
            for (file, text) in files {
                try (text + "\n").write(toFile: "\(real)/\(file)", atomically: true, encoding: .utf8)
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/\(name)", withDestinationPath: "../devices/\(place)/\(name)")
        }

        func camera(_ name: String, at place: String, _ product: String, speed: String = "480") throws {
            try add(name, at: place, ["speed": speed, "product": product, "bDeviceClass": "00"])
            try add(
                "\(name):1.0", at: "\(place)/\(name)",
                [
                    "bInterfaceClass": "06", "bInterfaceSubClass": "01", "bInterfaceProtocol": "01",
                    "bNumEndpoints": "03",
                ])
        }
    }

    @Test func `controllers, hubs and cameras stand where they are plugged in`() throws {
        let devices = try Devices()
        let chip = "pci0000:00/0000:00:14.0"
        try devices.add("usb1", at: chip, ["speed": "480", "bDeviceClass": "09"])
        try devices.add("usb2", at: chip, ["speed": "10000", "bDeviceClass": "09"])
        try devices.add("1-2", at: "\(chip)/usb1", ["speed": "480", "product": "Hub", "bDeviceClass": "09"])
        try devices.add("1-2:1.0", at: "\(chip)/usb1/1-2", ["bInterfaceClass": "09", "bNumEndpoints": "01"])
        try devices.camera("1-2.10", at: "\(chip)/usb1/1-2", "EOS R5")
        try devices.camera("1-2.4", at: "\(chip)/usb1/1-2", "Z 9")
        try devices.add("1-7", at: "\(chip)/usb1", ["speed": " 1.5", "bDeviceClass": "00"])
        try devices.camera("2-1", at: "\(chip)/usb2", "X-T5", speed: "5000")
        try devices.add("usb3", at: "platform/vhci_hcd.0", ["speed": "480", "bDeviceClass": "09"])

        let tree = USBTree.read(devices.path)
        #expect(tree.controllers.map(\.name) == ["0000:00:14.0", "vhci_hcd.0"])
        let chipTree = try #require(tree.controllers.first)
        #expect(chipTree.buses.map(\.number) == [1, 2] && chipTree.buses.map(\.megabits) == [480, 10_000])
        #expect(chipTree.buses[0].devices.map(\.path) == ["1-2", "1-7"])
        #expect(chipTree.buses[0].devices[0].children.map(\.product) == ["Z 9", "EOS R5"])
        #expect(chipTree.buses[0].devices[0].isHub && !chipTree.buses[0].devices[0].isCamera)
        #expect(chipTree.buses[0].devices[1].megabits == 1)
        #expect(tree.cameras.map(\.path) == ["1-2.4", "1-2.10", "2-1"])
        // Hub 2, cameras 4 each, something without interfaces 1.
        #expect(chipTree.devices.count == 5 && chipTree.endpoints == 2 + 3 * 4 + 1)
        #expect(tree.controllers[1].buses[0].devices.isEmpty)
    }

    @Test func `a computer without USB has an empty tree, and odd names stop nothing`() throws {
        #expect(USBTree.read("/nowhere") == USBTree(controllers: []))
        let devices = try Devices()
        try devices.add("usbx", at: "a", [:])
        try devices.add("usb0", at: "a", [:])
        try devices.add("9-1", at: "b", ["speed": "fast", "bDeviceClass": "zz"])
        #expect(USBTree.read(devices.path) == USBTree(controllers: []))
        // A root hub whose files cannot be read.
        try devices.add("usb4", at: "c/chip", [:])
        #expect(
            USBTree.read(devices.path)
                == USBTree(
                    controllers: [.init(name: "chip", buses: [.init(number: 4, megabits: 0, devices: [])])]))
    }

    @Test func `what the kernel had no room for is read from its log`() throws {
        let folder = try ScratchFolder()
        let log = folder.path("kmsg")
        #expect(KernelRefusals.read(log) == nil)
        try """
        6,1,1,-;usb 1-1: new high-speed USB device number 4 using xhci_hcd
        4,2,2,-;usb 1-2: Not enough host controller resources for new device state.
        3,3,3,-;usb 1-3: can't set config #1, error -12
        3,4,4,-;usb 1-3: can't set config #1, error -71

        """.write(toFile: log, atomically: true, encoding: .utf8)
        #expect(
            KernelRefusals.read(log) == [
                "usb 1-2: Not enough host controller resources for new device state.",
                "usb 1-3: can't set config #1, error -12",
            ])
    }

    @Test func `what the kernel lends decides how many read`() {
        #expect(USBMemory.limitBytes("16") == 16 << 20 && USBMemory.limitBytes("0") == nil)
        #expect(USBMemory.limitBytes("-1") == nil && USBMemory.limitBytes("much") == nil)
        #expect(USBMemory.readers(limitBytes: 16 << 20) == 27)
        #expect(USBMemory.readers(limitBytes: 1 << 20) == 1)
        #expect(USBMemory.readers(limitBytes: nil) == .max)
    }
}
