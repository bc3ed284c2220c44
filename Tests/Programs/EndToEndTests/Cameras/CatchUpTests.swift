import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of photos that the camera took or announced while the daemon was not connected. The daemon finds
/// these photos on the card.
@Suite(.serialized, .programs(2)) struct CatchUpTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func waitUntilReady(_ rig: DaemonRig) async throws {
        try await rig.status("every camera to be ready") {
            !$0.cameras.isEmpty && $0.cameras.allSatisfy { $0.state == .ready }
        }
    }

    /// Returns how often the daemon has requested a whole object from the camera.
    private func objectsRead(_ camera: Simulator) throws -> Int {
        struct Statistics: Decodable { var requests: [String: Int] }
        let answer = try camera.command("stats")
        return try JSONDecoder().decode(Statistics.self, from: Data(answer.utf8)).requests["getObject"] ?? 0
    }

    @Test func `saves photos taken while the daemon was stopped or killed`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB", "--existing", "3"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.waitUntilSaved(3)
        try await rig.stop()
        try camera.command("shoot 5")
        try await rig.start()
        try await rig.waitUntilSaved(8)
        try await rig.kill()
        try camera.command("shoot-pair")
        try await rig.start()
        try await rig.waitUntilSaved(10)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    /// Each request for an object's metadata takes 20 ms, so listing the card keeps the driver busy for three
    /// seconds.
    @Test(.nightly("measures the position of a new photo; LargeCardTests covers the order in the worker"))
    func `saves a new photo before the photos of a large card`() async throws {
        let camera = try await Simulator(
            folder, ["--size", "20KB", "--existing", "150", "--fault", "stall:20*always@op 0x1008"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("shoot")
        try await rig.waitUntilSaved(1)
        try camera.command("link down")
        try await rig.waitUntilDisconnected()
        try camera.command("link up")
        // The daemon is transferring the card's photos.
        let before = try await rig.waitUntilSaved(10).captures.total
        try camera.command("shoot")
        try await rig.waitUntilSaved(152)
        let names = try await rig.waitUntilSettled(152).sorted {
            ($0.savedAt ?? .distantFuture) < ($1.savedAt ?? .distantFuture)
        }
        .map(\.originalName)
        #expect(names.first == "IMG_0151.JPG")
        // First, the worker completes the requested transfers. The driver reads some more photos together
        // with these transfers.
        let place = try #require(names.firstIndex(of: "IMG_0152.JPG"))
        #expect(place < before + 60)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.status("the card to be read") { $0.cameras.first?.listing == nil }
        try await rig.stop()
    }

    @Test func `reports listing progress while the camera is ready`() async throws {
        let camera = try await Simulator(
            folder, ["--size", "20KB", "--existing", "1500", "--fault", "stall:20*always@op 0x1008"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("the listing progress") { status in
            // The listing counts the photos, the folder DCIM and its subfolder.
            status.cameras.first?.state == .ready && status.cameras.first?.listing?.totalObjects == 1_502
        }
        try await rig.kill()
    }

    @Test(arguments: Tier.rows(["link-down:3000", "drop", "reset"], gate: 1))
    func `saves each photo once if the link breaks during a burst`(fault: String) async throws {
        let camera = try await Simulator(folder, ["--size", "100KB-3MB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("fault \(fault)@shot 2")
        try camera.command("burst 6 100")
        try await rig.waitUntilSaved(6)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test(.nightly("in the gate, another test of this suite reconnects after the fault link-down:3000"))
    func `saves photos that a camera took while it was unreachable`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("shoot 2")
        try await rig.waitUntilSaved(2)
        try camera.command("link down")
        try await rig.status("the camera to be unreachable") {
            $0.conditions.contains { $0.code == "camera-unreachable" }
        }
        try camera.command("shoot 3")
        try camera.command("link up")
        try await rig.status("all photos, and no condition") {
            $0.captures.total >= 5 && $0.conditions.isEmpty
        }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test func `reports photos left in a Sony's memory after a broken link`() async throws {
        _ = try await breakLinkDuringBurst()
    }

    @Test func `reports a photo left in a Sony before and after a restart`() async throws {
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "8MB", "--rate", "1MB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        _ = try camera.operations()
        try camera.command("shoot")
        try await eventually("the photo to be read") {
            try camera.operations().contains { $0.code == "1009" } ? () : nil
        }
        try camera.command("link down")
        func isReported(_ status: StatusReply) -> Bool {
            status.conditions.contains {
                $0.code == "photos-left-in-camera" && $0.sentence.hasPrefix("studio: up to 1 photo")
            }
        }
        try await rig.status("the photo to be reported while the camera is disconnected") {
            $0.cameras.first?.state != .ready && isReported($0)
        }
        #expect(try await rig.stop() == 0)
        try await rig.start()
        try camera.command("link up")
        try await rig.status("the photo to be reported after a restart") {
            $0.cameras.first?.state == .ready && isReported($0)
        }
        try await rig.stop()
    }

    @Test(.nightly("measures the number of photos that arrive before a link breaks"))
    func `overcounts photos left in a Sony by at most one`() async throws {
        let (saved, left) = try await breakLinkDuringBurst()
        // The camera's last count may include one photo that has already arrived.
        #expect((8...9).contains(saved + left), "\(saved) saved, \(left) left")
    }

    /// Cuts the link of a Sony during a burst of 8 photos.
    ///
    /// - Returns: The number of photos saved, and the number that the condition reports.
    private func breakLinkDuringBurst() async throws -> (saved: Int, left: Int) {
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "1MB", "--rate", "1MB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("burst 8 0")
        try await rig.waitUntilSaved(1)
        try camera.command("link down")
        try await rig.waitUntilDisconnected()
        try camera.command("link up")
        // A Sony saves photos taken without a session only to its card, and does not announce them.
        let status = try await rig.status("the photos to be reported, and the camera to reconnect") {
            $0.cameras.first?.state == .ready
                && $0.conditions.contains { $0.code == "photos-left-in-camera" }
        }
        let condition = try #require(status.conditions.first { $0.code == "photos-left-in-camera" })
        #expect(condition.sentence.hasPrefix("studio: up to "))
        let count = try #require(
            condition.sentence.split(separator: " ").compactMap { Int($0) }.first)
        // The photos that arrived before the connection broke are saved by now.
        let saved = try await rig.waitUntilSettled(1).count { $0.state == .saved }
        #expect(condition.nextStep?.contains("card reader") == true)
        // Later photos arrive as usual.
        try camera.command("shoot")
        try await rig.waitUntilSaved(saved + 1)
        try await rig.stop()
        return (saved, count)
    }

    @Test(.nightly("SameSerialTests covers four cameras with the same file names"))
    func `saves photos whose names repeat after file number 9999`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB", "--first-number", "9998"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("burst 4 20")
        try await rig.waitUntilSaved(4)
        try await rig.stop()
        try camera.command("number 9998")
        try camera.command("shoot 4")
        try await rig.start()
        try await rig.waitUntilSaved(8)
        let truth = try camera.truth()
        #expect(Set(truth.map(\.name)).count == 4)
        #expect(Set(truth.map(\.folder)).count > 1)
        let wrong = try await rig.untilIntact(truth)
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test func `finds a photo by listing the card after a lost announcement`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("fault lost-event@shot 2")
        try camera.command("burst 3 20")
        try await rig.waitUntilSaved(3)
        // The camera sends no later announcement. The daemon detects that the card's free space has shrunk.
        try camera.command("fault lost-event")
        try camera.command("shoot")
        try await rig.waitUntilSaved(4)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    /// The driver lists the whole folder to find the second photo. At that time, the driver has cached the
    /// first photo but not reported it.
    @Test(
        .nightly("in the gate, another test of this suite has a generic camera whose announcement is lost"),
        arguments: ["generic", "canon", "nikon"])
    func `finds an unannounced photo that the driver has already listed`(maker: String) async throws {
        let camera = try await Simulator(folder, ["--size", "50KB", "--maker", maker, "--pairs"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await waitUntilReady(rig)
        try camera.command("fault lost-event@shot 1")
        try camera.command("shoot 2")
        try await rig.waitUntilSaved(4)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.stop()
    }

    @Test func `reports a damaged photo until a retry reads it correctly`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        rig.expectedErrors = ["condition=photo-damaged"]
        try await rig.start()
        try await waitUntilReady(rig)
        // Each transfer has the same damaged bytes. After two such transfers, the daemon treats the photo as
        // damaged on the card.
        try camera.command("fault bit-flip:0*always@shot 1")
        try camera.command("shoot")
        let damaged = try #require(try await rig.waitUntilSettled(1).first)
        #expect(damaged.state == .damaged)
        try await rig.status("the damage") { $0.conditions.contains { $0.code == "photo-damaged" } }
        try await rig.stop()
        let before = try objectsRead(camera)
        try await rig.start()
        let reported = try await rig.status("the damage to be reported again") {
            $0.conditions.contains { $0.code == "photo-damaged" && $0.nextStep?.contains("retry") == true }
        }
        // The new connection rereads the photo once, with two transfers. Later transfers need a
        // user's request.
        try await eventually("the new connection to read the photo again", within: 60) {
            try objectsRead(camera) >= before + 2 ? () : nil
        }
        try await rig.waitUntilIdle()
        try camera.command("clear-faults")
        let retry = try await PrintedCommand.run(of: "photo-damaged", in: reported, on: rig)
        #expect(retry.status == 0, "\(retry.output)")
        try await rig.waitUntilSaved(1)
        try await rig.status("the condition to end") { $0.conditions.isEmpty }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(throws: ClientError.self) { try rig.client.call(\.captures.retry, damaged.id) }
        try await rig.stop()
    }

    @Test(.nightly("SameSerialTests covers four cameras with the same file names"))
    func `saves photos of two cameras separately when their file names match`() async throws {
        let one = try await Simulator(
            folder, name: "one", ["--size", "50KB", "--serial", "A1", "--seed", "1"])
        let two = try await Simulator(
            folder, name: "two", ["--size", "50KB", "--serial", "B2", "--seed", "2"])
        let rig = try DaemonRig(
            cameras: [("a", one.address), ("b", two.address)], capture: ["template = \"{original}.{ext}\""])
        try await rig.start()
        try await waitUntilReady(rig)
        try one.command("shoot 5")
        try two.command("shoot 5")
        let wrong = try await rig.untilIntact(one.truth() + two.truth())
        #expect(wrong == [])
        let records = try await rig.waitUntilSettled(10)
        let byCamera = Dictionary(grouping: records, by: \.cameraName).mapValues {
            Set($0.compactMap(\.sha256))
        }
        #expect(byCamera["a"] == Set(try one.truth().map(\.sha256)), "[loss] wrong photos of camera a")
        #expect(byCamera["b"] == Set(try two.truth().map(\.sha256)), "[loss] wrong photos of camera b")
        try await rig.stop()
    }

    @Test(.nightly("SameSerialTests covers exchanged addresses of cameras"))
    func `treats a different body at the same address as a new camera`() async throws {
        let first = try await Simulator(
            folder, name: "first", ["--size", "50KB", "--serial", "A1", "--existing", "2"])
        let port = first.port
        let rig = try DaemonRig(cameras: [("a", first.address)])
        try await rig.start()
        try await rig.waitUntilSaved(2)
        let before = try first.truth()
        first.program.signal(15)
        try await first.program.waitUntilExit()
        let second = try await Simulator(
            folder, name: "second", port: port, ["--size", "50KB", "--serial", "B2", "--existing", "2"])
        try await rig.waitUntilSaved(4)
        let wrong = try await rig.untilIntact(before + second.truth())
        #expect(wrong == [])
        try await rig.stop()
    }
}
