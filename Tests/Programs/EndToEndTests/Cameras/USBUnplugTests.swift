import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of USB cameras whose cable is pulled: a Sony that empties its memory, bodies without a serial number
/// that take photos while they are unplugged, and another camera at the same port.
@Suite(
    .serialized, .programs(4),
    .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")))
struct USBUnplugTests {
    /// The moment at which the cable of a Sony is pulled.
    enum UnplugMoment: String, CaseIterable, CustomTestStringConvertible {
        /// The service has released the shutter, and the camera has not announced the photo yet.
        case atOnce = "after the release"
        /// The first photo is in transfer, and more photos are in the camera's memory.
        case firstBytes = "during the first transfer"
        /// One photo is on the disk, and more photos are in the camera's memory.
        case firstSaved = "after the first saved photo"
        var testDescription: String { rawValue }
    }

    /// Returns the number that the condition reports for photos left in a camera.
    private static func countLeft(_ status: StatusReply) -> Int {
        let sentence = status.conditions.first { $0.code == "photos-left-in-camera" }?.sentence
        return sentence?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    @Test(arguments: Tier.rows(UnplugMoment.allCases, gate: [.firstSaved]))
    func `saves or reports each photo of a Sony that is unplugged`(moment: UnplugMoment) async throws {
        let folder = try ScratchFolder()
        // A photo takes two seconds to transfer.
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "1MB", "--rate", "500KB"])
        let bed = try await USBBed(folder, camera: camera, identity: "054c:0c34")
        let rig = try DaemonRig(
            cameras: [("studio-u", "usb:")], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try bed.plug()
        try await rig.start(wrapper: bed.wrapper)
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }

        _ = try camera.operations()
        switch moment {
        case .atOnce:
            _ = try rig.client.trigger(camera: "studio-u")
        case .firstBytes:
            try camera.command("shoot 2")
            try await eventually("the first photo to be read") {
                try camera.operations().contains { $0.code == "1009" } ? () : nil
            }
        case .firstSaved:
            try camera.command("shoot 3")
            try await rig.waitUntilSaved(1)
        }
        try bed.unplug()
        try await rig.waitUntilDisconnected()
        let taken = try camera.truth().count
        #expect(taken > 0)
        try bed.plug()
        // The camera empties its memory when the cable is pulled. Photos in the worker's store are saved in
        // the next connection.
        let (saved, left) = try await rig.waitUntil("each photo to be saved or reported") {
            snapshot -> (Int, Int)? in
            let status = try snapshot.status
            let known = (status.captures.total, Self.countLeft(status))
            return known.0 + known.1 >= taken ? known : nil
        }
        // The camera's last count may include one photo that has already arrived.
        #expect(saved + left <= taken + 1, "\(taken) photos, \(saved) saved, \(left) reported")

        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot")
        let truth = try camera.truth().map(\.sha256)
        let newest = try #require(truth.last)
        // A photo of the first connection may be saved after the new photo.
        let last = try await rig.waitUntil("the next photo to be saved") { snapshot -> Bool in
            let status = try snapshot.status
            return try status.cameras.first?.state == .ready && status.cameras.first?.pending == 0
                && snapshot.isSettled && snapshot.records.contains { $0.sha256 == newest }
        }
        let hashes = try last.records.filter { $0.savedAt != nil }.compactMap(\.sha256)
        #expect(Set(hashes).count == hashes.count, "[loss] duplicate photos")
        #expect(Set(truth).isSuperset(of: hashes), "[loss] foreign photos")
        // If the camera's last count includes a photo that has arrived, the sum below is one too large.
        #expect(hashes.count > saved, "[loss] \(saved) photos saved first, \(hashes.count) at the end")
        #expect(
            hashes.count + left >= truth.count,
            "[loss] \(truth.count) photos, \(hashes.count) saved, \(left) reported")
        #expect(try last.hashes == hashes.sorted(), "[loss] wrong files of the photos")
        #expect(try Self.countLeft(last.status) == left)
        #expect(try await rig.stop() == 0)
    }

    /// The number of photos of each body before the cables are pulled, and while the bodies are unplugged.
    /// The sum exceeds the number of objects that the driver lists at once (20).
    private static let (before, away) = (15, 8)

    /// A D750 and an EOS 80D.
    @Test(arguments: Tier.rows([("nikon", "0437", "04b0"), ("canon", "3294", "04a9")], gate: 1))
    func `saves each photo once that bodies without serial numbers take while unplugged`(
        maker: String, product: String, vendor: String
    ) async throws {
        let folder = try ScratchFolder()
        let ports = ["1-1", "1-2"]
        var cameras: [Simulator] = []
        for port in ports {
            // Each camera has its own seed, so no two cameras take the same picture.
            cameras.append(
                try await Simulator(
                    folder, name: "sim\(port)",
                    ["--maker", maker, "--serial", "", "--size", "50KB", "--seed", "\(cameras.count + 1)"]))
        }
        let bed = try await USBBed(folder)
        let rig = try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        func plugBoth() async throws {
            for (port, camera) in zip(ports, cameras) {
                try bed.plug(USBBedDevice(vendor: vendor, product: product, camera: camera), at: port)
            }
            try await rig.status("both cameras to be ready") { status in
                status.cameras.count { $0.state == .ready } == ports.count
            }
        }
        func shootOnBoth(_ count: Int) throws {
            for camera in cameras { try camera.command("shoot \(count)") }
        }
        func differences() async throws -> [String] {
            let taken = try cameras.flatMap { try $0.card() }.map(\.sha256)
            return try await rig.untilIntact(hashes: taken, within: 120)
        }
        try await rig.start(wrapper: bed.wrapper)
        try await plugBoth()
        try shootOnBoth(Self.before)
        let atFirst = try await differences()
        #expect(atFirst == [])

        for port in ports { try bed.unplug(port) }
        try await rig.status("both cameras to disappear") { $0.cameras.allSatisfy { $0.state == .gone } }
        try shootOnBoth(Self.away)
        // The photos must arrive in the next connection, because no later event starts another connection.
        try await plugBoth()
        let afterwards = try await differences()
        #expect(afterwards == [])
        // A duplicate would arrive before the new photo.
        try shootOnBoth(1)
        let atLast = try await differences()
        #expect(atLast == [])
        #expect(try await rig.stop() == 0)
    }

    /// libgphoto2 names a port by its bus and device numbers. Both cameras have the same numbers, and
    /// therefore the same port name.
    @Test func `doctor and status name the camera at a reused port`() async throws {
        let folder = try ScratchFolder()
        let bed = try await USBBed(folder)
        let rig = try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        try await rig.start(wrapper: bed.wrapper)
        var cameras: [Simulator] = []
        var names: Set<String> = []
        for (maker, vendor, product) in [("nikon", "04b0", "0437"), ("canon", "04a9", "3294")] {
            let camera = try await Simulator(folder, name: maker, ["--maker", maker, "--serial", maker])
            cameras.append(camera)
            var device = USBBedDevice(vendor: vendor, product: product, serial: maker, camera: camera)
            device.number = 9
            #expect(try bed.plug(device, at: "1-1") == "usb:001,009")
            let status = try await rig.status("the \(maker) to be ready") { status in
                status.cameras.contains { $0.serial == maker && $0.state == .ready }
            }
            let connected = status.cameras.filter { $0.state != .gone }
            #expect(connected.map(\.serial) == [maker] && connected.map(\.port) == ["usb:001,009"])
            let checks = try rig.client.call(\.service.diagnosis).value.checks.filter { $0.id == "camera" }
            #expect(checks.map(\.title) == connected.map(\.name))
            #expect(checks.allSatisfy { $0.sentence.contains("is connected at USB port 1-1") }, "\(checks)")
            names.formUnion(connected.map(\.name))
            try bed.unplug("1-1")
            try await rig.status("the \(maker) to disappear") { $0.cameras.allSatisfy { $0.state == .gone } }
        }
        #expect(names.count == cameras.count)
        #expect(try await rig.stop() == 0)
    }
}
