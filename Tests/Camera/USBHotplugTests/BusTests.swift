import Foundation
import TestRig
import Testing

/// Tests USBHotplug with libusb and a USB emulation in user space, through the program `usb-watch`.
@Suite(
    .serialized, .programs(3), .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct BusTests {
    private typealias Interface = USBBedDevice.Interface

    private static let devices: [USBBedDevice] = [
        USBBedDevice(
            name: "a camera", vendor: "04a9", product: "32f4", manufacturer: "Canon Inc.",
            productName: "Canon Digital Camera", serial: "012345678901"),
        USBBedDevice(
            name: "a camera that shows its mode by its endpoint", vendor: "04cb", product: "02d7",
            productName: "USB PTP Camera", serial: "5935333",
            interfaces: [Interface(6, 1, 1, interrupt: [0x18, 4])]),
        USBBedDevice(
            name: "four configurations", vendor: "054c", product: "0c01", manufacturer: "Sony",
            productName: "ILCE-7M3", configurations: 4,
            interfaces: [Interface(8, 6, 80), Interface(6, 1, 1)]),
        USBBedDevice(
            name: "mass storage", vendor: "25fb", product: "0164",
            manufacturer: "RICOH IMAGING COMPANY, LTD.",
            productName: "PENTAX K-3", serial: "000004711",
            interfaces: [Interface(8, 6, 80, driver: "usb-storage")]),
        USBBedDevice(
            name: "a phone", vendor: "18d1", product: "4ee2", manufacturer: "Google", productName: "Pixel 7",
            serial: "2A141FDH2", interfaces: [Interface(255, 255, 0), Interface(255, 66, 1)],
            properties: ["ID_MEDIA_PLAYER": "1", "ID_MTP_DEVICE": "1"]),
        USBBedDevice(
            name: "a webcam", vendor: "04b0", product: "0451",
            interfaces: [
                Interface(14, 1, 0, driver: "uvcvideo", interrupt: [16, 8]), Interface(14, 2, 0),
                Interface(1, 1, 0),
            ]),
        USBBedDevice(name: "no strings", vendor: "1209", product: "0001"),
        USBBedDevice(
            name: "odd strings", vendor: "1003", product: "c432", manufacturer: "シグマ \\ \"fp\"",
            productName: "  spaces  ", serial: "ünïcode"),
    ]

    @Test
    func `describes present and arriving devices without opening them`()
        async throws
    {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        var ports: [(port: String, driverPort: String, device: USBBedDevice)] = []
        let half = Self.devices.count / 2
        for (index, device) in Self.devices[..<half].enumerated() {
            ports.append(("1-\(index + 1)", try bed.plug(device, at: "1-\(index + 1)"), device))
        }
        let watch = try WatchingProgram(bed, folder)
        try await watch.waitFor("arrived", "usb:001,001")
        for (index, device) in Self.devices[half...].enumerated() {
            let port = "1-9.\(index + 1)"
            ports.append((port, try bed.plug(device, at: port), device))
        }
        for (port, driverPort, device) in ports {
            let seen = try await watch.waitFor("arrived", driverPort)
            #expect(seen.portPath == port)
            #expect(seen.vendorID == Int(device.vendor, radix: 16))
            #expect(seen.productID == Int(device.product, radix: 16))
            #expect(seen.deviceClass == 0)
            #expect(seen.configurations == device.configurations ?? 1)
            #expect(seen.manufacturer == device.manufacturer)
            #expect(seen.product == device.productName)
            #expect(seen.serial == device.serial)
            #expect(
                seen.interfaces?.map { [$0.class, $0.subclass, $0.protocol] }
                    == device.interfaces.map {
                        [$0.class, $0.subclass, $0.protocol]
                    })
            for (interface, plugged) in zip(seen.interfaces ?? [], device.interfaces) {
                if let interrupt = plugged.interrupt { #expect(interface.interrupt == interrupt) }
            }
            for (name, value) in device.properties ?? [:] { #expect(seen.properties?[name] == value) }
            let node = try #require(seen.node)
            #expect(driverPort == "usb:" + node.dropFirst("/dev/bus/usb/".count).replacing("/", with: ","))
            _ = try await watch.send("holder \(node)")
            #expect(try await watch.send("access \(node)").access == "allowed")
            #expect(try bed.stats(port).calls == 0)
        }
        // Each device arrives once. The hub and the root hub also arrive once.
        #expect(try watch.lines().count { $0.event == "arrived" } == Self.devices.count + 2)
    }

    @Test(
        .nightly(
            "counts announcements, threads and descriptors; gate tests cover arrival, departure and description"
        ))
    func `does not leak threads or descriptors in a hundred plug cycles`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        try await watch.waitFor("arrived", "usb:001,001")
        var counts: [[Int?]] = []
        for cycle in 0...100 {
            let port = try bed.plug(Self.devices[cycle % Self.devices.count], at: "1-2")
            try await watch.waitFor("arrived", port)
            try bed.unplug("1-2")
            try await watch.waitFor("left", port)
            if cycle == 0 || cycle == 100 {
                let count = try await watch.send("count")
                counts.append([count.threads, count.descriptors])
            }
        }
        #expect(counts[0] == counts[1])
        let lines = try watch.lines()
        #expect(lines.count { $0.event == "arrived" } == 102)
        #expect(lines.count { $0.event == "left" } == 101)
        // A device leaves with the same description that it arrived with.
        for left in lines where left.event == "left" {
            let arrived = lines.first { $0.event == "arrived" && $0.driverPort == left.driverPort }
            #expect(left.serial == arrived?.serial && left.portPath == arrived?.portPath)
        }
    }

    /// Waits until the program has this number of bus threads. The kernel lists a thread for a moment after
    /// the thread has been joined.
    private func waitForThreads(
        _ count: Int, of watch: WatchingProgram
    ) async throws -> WatchingProgram.Line {
        try await eventually("\(count) bus threads") {
            let counts = try await watch.send("count")
            return counts.threads == count ? counts : nil
        }
    }

    @Test func `closing the bus releases its threads and descriptors`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        try await watch.waitFor("arrived", "usb:001,001")
        #expect(try await watch.send("reopen 1").reopened == true)
        let before = try await waitForThreads(2, of: watch)
        #expect(try await watch.send("reopen 50").reopened == true)
        let after = try await waitForThreads(2, of: watch)
        #expect(before.descriptors == after.descriptors)
        #expect(try await watch.send("close").closed == true)
        try await eventually("the stream to end") { try watch.lines().first { $0.event == "end" } }
        let closed = try await waitForThreads(0, of: watch)
        #expect((closed.descriptors ?? 99) < (after.descriptors ?? 0))
        #expect(try await watch.send("reset /dev/bus/usb/001/001").error?.contains("closed") == true)
    }

    @Test func `identifies identical cameras by serial number after they swap ports`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        var one = Self.devices[0]
        var two = one
        (one.serial, two.serial) = ("1111", "2222")
        for (first, second) in [(one, two), (two, one)] {
            let left = try await watch.waitFor("arrived", bed.plug(first, at: "1-1"))
            let right = try await watch.waitFor("arrived", bed.plug(second, at: "1-2.3"))
            #expect((left.portPath, left.serial) == ("1-1", first.serial))
            #expect((right.portPath, right.serial) == ("1-2.3", second.serial))
            try bed.unplug("1-1")
            try bed.unplug("1-2.3")
            try await watch.waitFor("left", #require(left.driverPort))
            try await watch.waitFor("left", #require(right.driverPort))
        }
    }

    @Test(.nightly("races with the descriptions; in the gate, another test covers arrival and departure"))
    func `handles devices that leave before they are described`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let watch = try WatchingProgram(bed, folder)
        try await watch.waitFor("arrived", "usb:001,001")
        for cycle in 0..<60 {
            try bed.plug(Self.devices[cycle % Self.devices.count], at: "1-1")
            try bed.unplug("1-1")
        }
        let last = try bed.plug(Self.devices[0], at: "1-1")
        try await watch.waitFor("arrived", last)
        let lines = try watch.lines()
        let arrived = lines.filter { $0.event == "arrived" }.compactMap(\.driverPort)
        let left = lines.filter { $0.event == "left" }.compactMap(\.driverPort)
        #expect(Set(arrived).count == arrived.count)
        #expect(Set(arrived).subtracting(left) == ["usb:001,001", last])
        // No device has another device's description.
        for line in lines where line.event == "arrived" && line.portPath == "1-1" {
            let cycle = (line.number ?? 0) - 4
            let device = cycle < 60 ? Self.devices[cycle % Self.devices.count] : Self.devices[0]
            #expect(line.productID == Int(device.product, radix: 16) && line.serial == device.serial)
        }
    }

    @Test(.nightly("waits 2 s for the bus; in the gate, another test covers a running program"))
    func `a stopped program does not block the bus for other programs`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let silent = try WatchingProgram(bed, folder)
        let watch = try WatchingProgram(bed, folder)
        for program in [silent, watch] { try await program.waitFor("arrived", "usb:001,001") }
        kill(silent.process.processIdentifier, SIGSTOP)
        defer { kill(silent.process.processIdentifier, SIGCONT) }
        for device in Self.devices {
            let port = try bed.plug(device, at: "1-1")
            try await watch.waitFor("arrived", port)
            try bed.unplug("1-1")
            try await watch.waitFor("left", port)
        }
    }

    @Test(.nightly("in the gate, another test of this suite covers one program"))
    func `three programs on one bus receive every change`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let programs = try (0..<3).map { _ in try WatchingProgram(bed, folder) }
        for program in programs { try await program.waitFor("arrived", "usb:001,001") }
        for device in Self.devices {
            let port = try bed.plug(device, at: "1-1")
            for program in programs { try await program.waitFor("arrived", port) }
            try bed.unplug("1-1")
            for program in programs { try await program.waitFor("left", port) }
        }
    }
}
