import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of cameras that report the same serial number or none. The daemon must still identify them.
@Suite(.serialized, .programs(4)) struct SameSerialTests {
    static let serials = ["12345678", "00000000000000", ""]
    private static let cameras = 4
    private static let shotsEach = 5

    /// Checks that each photo of each camera is saved once, regardless of its name.
    ///
    /// If the daemon fetches a saved photo again, it recognizes the duplicate by its bytes shortly
    /// afterwards.
    private func check(_ rig: DaemonRig, _ cameras: [Simulator]) async throws {
        let taken = try cameras.flatMap { try $0.card() }.map(\.sha256)
        let wrong = try await rig.untilIntact(hashes: taken, within: 120)
        #expect(wrong == [])
    }

    private func start(_ folder: ScratchFolder, serial: String, maker: String, _ more: [String] = [])
        async throws -> [Simulator]
    {
        var cameras: [Simulator] = []
        for number in 0..<Self.cameras {
            // Each camera has its own seed, so no two cameras take the same picture.
            cameras.append(
                try await Simulator(
                    folder, name: "sim\(number)",
                    ["--maker", maker, "--serial", serial, "--size", "100KB", "--seed", "\(number + 1)"]
                        + more))
        }
        return cameras
    }

    @discardableResult
    private func waitUntilReady(_ rig: DaemonRig) async throws -> StatusReply {
        try await rig.status("every camera to be ready") { status in
            status.cameras.count == Self.cameras && status.cameras.allSatisfy { $0.state == .ready }
        }
    }

    @Test(arguments: Tier.rows(serials, gate: 1))
    func `saves each photo once after a restart and exchanged addresses`(serial: String) async throws {
        let folder = try ScratchFolder()
        let cameras = try await start(folder, serial: serial, maker: "canon")
        let names = ["north", "east", "south", "west"]
        let rig = try DaemonRig(cameras: zip(names, cameras).map { ($0, $1.address) })
        try await rig.start()
        try await waitUntilReady(rig)
        for camera in cameras { try camera.command("shoot \(Self.shotsEach)") }
        try await rig.waitUntilSaved(Self.cameras * Self.shotsEach)
        try await check(rig, cameras)
        let status = try await rig.status("the shared serial number to be reported for all cameras") {
            status in
            let condition = status.conditions.first { $0.code == "serial-shared" }
            return names.allSatisfy { condition?.sentence.contains($0) == true }
        }
        #expect(status.conditions.count { $0.code == "serial-shared" } == 1)

        try await rig.stop()
        // Each name now belongs to a different body.
        try rig.configure(
            cameras: zip(names, cameras.dropFirst() + cameras.prefix(1)).map { ($0, $1.address) })
        try await rig.start()
        try await waitUntilReady(rig)
        for camera in cameras { try camera.command("shoot") }
        try await rig.waitUntilSaved(Self.cameras * (Self.shotsEach + 1))
        try await check(rig, cameras)
        #expect(try await rig.stop() == 0)
    }

    /// The cameras have no serial numbers, so the daemon lists the cards to distinguish the cameras. The
    /// daemon then lists the cards again to find the photos. The first listing is slow, and the second is
    /// fast.
    @Test func `saves missed photos once from cameras without a serial number`() async throws {
        let folder = try ScratchFolder()
        let existing = 60
        let cameras = try await start(
            folder, serial: "", maker: "nikon", ["--existing", "\(existing)"]
        ).prefix(2)
        let rig = try DaemonRig(cameras: zip(["north", "east"], cameras).map { ($0, $1.address) })
        try await rig.start()
        try await rig.waitUntilSaved(cameras.count * existing)
        #expect(try await rig.stop() == 0)
        for camera in cameras {
            try camera.command("shoot 3")
            try camera.command("fault stall:50*9@op 0x1008")
        }
        try await rig.start()
        // The photos arrive in the first connection. No event starts another connection.
        try await rig.waitUntilSaved(cameras.count * (existing + 3))
        try await check(rig, Array(cameras))
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("reads four cards of 60 photos; in the gate, another test exchanges addresses"))
    func `keeps each camera's photos after an interrupted listing and exchanged addresses`() async throws {
        let folder = try ScratchFolder()
        let slowReading = ["--existing", "60", "--fault", "stall:100*always@op 0x1008"]
        let cameras = try await start(folder, serial: Self.serials[0], maker: "nikon", slowReading)
        let names = ["north", "east", "south", "west"]
        let rig = try DaemonRig(cameras: zip(names, cameras).map { ($0, $1.address) })
        try await rig.start()
        try await waitUntilReady(rig)
        // New photos are fetched before the earlier photos on the card, and are in the ledger before a card
        // is completely listed.
        for camera in cameras.dropFirst() { try camera.command("shoot") }
        try await rig.waitUntilSaved(Self.cameras - 1)
        try await rig.kill()
        #expect(try rig.files().count < Self.cameras * 60)
        try rig.configure(
            cameras: zip(names, cameras.dropFirst() + cameras.prefix(1)).map { ($0, $1.address) })
        try await rig.start()
        try await waitUntilReady(rig)
        try cameras[0].command("shoot")
        try await rig.waitUntilSaved(Self.cameras * 61, within: 120)
        try await check(rig, cameras)
        #expect(try await rig.stop() == 0)
    }

    @Test(.nightly("tests the simulator; in the gate, another test of this suite exchanges addresses"))
    func `simulated cameras have unique serial numbers by default`() async throws {
        let folder = try ScratchFolder()
        var cameras: [Simulator] = []
        for number in 0..<Self.cameras {
            cameras.append(try await Simulator(folder, name: "sim\(number)", ["--size", "100KB"]))
        }
        let rig = try DaemonRig(cameras: cameras.enumerated().map { ("c\($0)", $1.address) })
        try await rig.start()
        try await waitUntilReady(rig)
        for camera in cameras { try camera.command("shoot") }
        let status = try await rig.status("all photos, and no condition") {
            $0.captures.total >= Self.cameras && $0.conditions.isEmpty
        }
        #expect(Set(status.cameras.compactMap(\.serial)).count == Self.cameras)
        #expect(try await rig.stop() == 0)
    }

    @Test(
        .nightly("in the gate, USBFleetTests covers exchanged ports, another test covers serial numbers"),
        .enabled(if: USBBed.obstacle == nil, .init(rawValue: USBBed.obstacle ?? "")), arguments: serials)
    func `saves each photo once after a restart and exchanged USB ports`(serial: String) async throws {
        let folder = try ScratchFolder()
        let cameras = try await start(folder, serial: serial, maker: "nikon")
        let bed = try await USBBed(folder)
        let rig = try DaemonRig(cameras: [], environment: ["FRAMEFAST_CAMERA_PROGRAM": bed.cameraProgram])
        func plug(_ order: [Int]) throws {
            for (port, number) in order.enumerated() {
                try bed.plug(
                    USBBedDevice(
                        vendor: "04b0", product: "0437", serial: serial, camera: cameras[number]),
                    at: "1-\(port + 1)")
            }
        }
        try plug(Array(0..<Self.cameras))
        try await rig.start(wrapper: bed.wrapper)
        try await waitUntilReady(rig)
        for camera in cameras { try camera.command("shoot \(Self.shotsEach)") }
        try await rig.waitUntilSaved(Self.cameras * Self.shotsEach)
        try await check(rig, cameras)
        let before = try await rig.status("every camera") { $0.cameras.count == Self.cameras }
        let names = Dictionary(uniqueKeysWithValues: before.cameras.map { ($0.id, $0.name) })

        try await rig.stop()
        try await rig.start(wrapper: bed.wrapper)
        let again = try await waitUntilReady(rig)
        #expect(again.cameras.allSatisfy { names[$0.id] == $0.name })
        for port in 1...Self.cameras { try bed.unplug("1-\(port)") }
        try await rig.status("every camera to disappear") { $0.cameras.allSatisfy { $0.state == .gone } }
        try plug([2, 3, 1, 0])
        try await waitUntilReady(rig)
        for camera in cameras { try camera.command("shoot") }
        try await rig.waitUntilSaved(Self.cameras * (Self.shotsEach + 1))
        try await check(rig, cameras)
        #expect(try await rig.stop() == 0)
    }
}
