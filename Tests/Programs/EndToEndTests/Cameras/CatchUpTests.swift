import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// The card is the truth: what happened while nobody listened is found by looking at it.
@Suite(.serialized, .programs(2)) struct CatchUpTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func ready(_ rig: DaemonRig) async throws {
        try await rig.status("every camera to be ready") {
            !$0.cameras.isEmpty && $0.cameras.allSatisfy { $0.state == .ready }
        }
    }

    /// How often a camera was asked for the whole of an object.
    private func objectsRead(_ camera: Simulator) throws -> Int {
        struct Statistics: Decodable { var requests: [String: Int] }
        let answer = try camera.command("stats")
        return try JSONDecoder().decode(Statistics.self, from: Data(answer.utf8)).requests["getObject"] ?? 0
    }

    @Test func `photos taken while the daemon was stopped, or killed, arrive when it is back`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB", "--existing", "3"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.saved(3)
        try await rig.stop()
        try camera.command("shoot 5")
        try await rig.start()
        try await rig.saved(8)
        try await rig.kill()
        try camera.command("shoot-pair")
        try await rig.start()
        try await rig.saved(10)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
    }

    /// Each ObjectInfo takes 20 ms, so that the driver would be busy for three seconds.
    @Test(.nightly("measures the place of a new photo; LargeCardTests has the order in the worker"))
    func `a new photo comes before all others from a large card on a slow link, and each comes once`()
        async throws
    {
        let camera = try await Simulator(
            folder, ["--size", "20KB", "--existing", "150", "--fault", "stall:20*always@op 0x1008"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await ready(rig)
        try camera.command("shoot")
        try await rig.saved(1)
        try camera.command("link down")
        try await rig.status("the camera to be missed") { $0.cameras.first?.state != .ready }
        try camera.command("link up")
        // Those of the card are coming in.
        let before = try await rig.saved(10).captures.total
        try camera.command("shoot")
        try await rig.saved(152)
        let names = try await rig.settled(152).sorted {
            ($0.savedAt ?? .distantFuture) < ($1.savedAt ?? .distantFuture)
        }
        .map(\.originalName)
        #expect(names.first == "IMG_0151.JPG")
        // Before it come what was asked for, and what is read with one of those.
        let place = try #require(names.firstIndex(of: "IMG_0152.JPG"))
        #expect(place < before + 60)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        try await rig.status("the card to be read") { $0.cameras.first?.listing == nil }
    }

    @Test func `people see how far a card has been read, while the camera is ready`() async throws {
        let camera = try await Simulator(
            folder, ["--size", "20KB", "--existing", "1500", "--fault", "stall:20*always@op 0x1008"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await rig.status("how far the card has been read") { status in
            // The photos, DCIM and its folder.
            status.cameras.first?.state == .ready && status.cameras.first?.listing?.totalObjects == 1_502
        }
    }

    @Test(arguments: Tier.rows(["link-down:3000", "drop", "reset"], gate: 1))
    func `photos taken while the link was away arrive when it is back, and none twice`(fault: String)
        async throws
    {
        let camera = try await Simulator(folder, ["--size", "100KB-3MB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await ready(rig)
        try camera.command("fault \(fault)@shot 2")
        try camera.command("burst 6 100")
        try await rig.saved(6)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
    }

    @Test(.nightly("the link that is down for three seconds covers the way back"))
    func `a camera that is switched off for a while is taken up again where it was left`() async throws {
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await ready(rig)
        try camera.command("shoot 2")
        try await rig.saved(2)
        try camera.command("link down")
        try await rig.status("the camera to be missed") {
            $0.conditions.contains { $0.code == "camera-unreachable" }
        }
        try camera.command("shoot 3")
        try camera.command("link up")
        try await rig.status("all photos, and no condition") {
            $0.captures.total >= 5 && $0.conditions.isEmpty
        }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
    }

    @Test func `photos that were in a Sony's memory when its link broke are spoken of`() async throws {
        _ = try await breakLinkDuringBurst()
    }

    @Test
    func
        `a Sony that is pulled while its first photo comes over has it counted at once, and after a restart`()
        async throws
    {
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "8MB", "--rate", "1MB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await ready(rig)
        _ = try camera.operations()
        try camera.command("shoot")
        try await eventually("the photo to be read") {
            try camera.operations().contains { $0.code == "1009" } ? () : nil
        }
        try camera.command("link down")
        func isSpokenOf(_ status: StatusReply) -> Bool {
            status.conditions.contains {
                $0.code == "photos-left-in-camera" && $0.sentence.hasPrefix("studio: up to 1 photo")
            }
        }
        try await rig.status("the photo to be spoken of while the camera is away") {
            $0.cameras.first?.state != .ready && isSpokenOf($0)
        }
        #expect(try await rig.stop() == 0)
        try await rig.start()
        try camera.command("link up")
        try await rig.status("the photo to be spoken of after a restart") {
            $0.cameras.first?.state == .ready && isSpokenOf($0)
        }
    }

    @Test(.nightly("counts the photos that came over before a link broke, which depends on its speed"))
    func `the number of photos in a Sony's memory is right to one when its link broke`() async throws {
        let (saved, left) = try await breakLinkDuringBurst()
        // The camera's last word may be one ahead of what came.
        #expect((8...9).contains(saved + left), "\(saved) saved, \(left) left")
    }

    /// Cuts the link of a Sony during a burst of 8 photos.
    ///
    /// - Returns: the photos that were saved, and those that the condition counts.
    private func breakLinkDuringBurst() async throws -> (saved: Int, left: Int) {
        let camera = try await Simulator(folder, ["--maker", "sony", "--size", "1MB", "--rate", "1MB"])
        let rig = try DaemonRig(cameras: [("studio", camera.address)])
        try await rig.start()
        try await ready(rig)
        try camera.command("burst 8 0")
        try await rig.saved(1)
        try camera.command("link down")
        try await rig.status("the camera to be missed") { $0.cameras.first?.state != .ready }
        try camera.command("link up")
        let status = try await rig.status("the photos to be spoken of") {
            $0.conditions.contains { $0.code == "photos-left-in-camera" }
        }
        let condition = try #require(status.conditions.first { $0.code == "photos-left-in-camera" })
        #expect(condition.sentence.hasPrefix("studio: up to "))
        let count = try #require(
            condition.sentence.split(separator: " ").compactMap { Int($0) }.first)
        // What came over before the connection broke is saved now.
        let saved = try await rig.settled(1).count { $0.state == .saved }
        #expect(condition.nextStep?.contains("card reader") == true)
        // Photos from then on come as ever.
        try camera.command("shoot")
        try await rig.saved(saved + 1)
        return (saved, count)
    }

    @Test(.nightly("SameSerialTests has four cameras with the same names"))
    func `after 9999 comes 0001, in a new folder, and also where a photo of that name is known`()
        async throws
    {
        let camera = try await Simulator(folder, ["--size", "50KB", "--first-number", "9998"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await ready(rig)
        try camera.command("burst 4 20")
        try await rig.saved(4)
        try await rig.stop()
        try camera.command("number 9998")
        try camera.command("shoot 4")
        try await rig.start()
        try await rig.saved(8)
        let truth = try camera.truth()
        #expect(Set(truth.map(\.name)).count == 4)
        #expect(Set(truth.map(\.folder)).count > 1)
        let wrong = try await rig.untilIntact(truth)
        #expect(wrong == [])
    }

    @Test func `a photo whose announcement was lost is found by looking at the camera's own list`()
        async throws
    {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await ready(rig)
        try camera.command("fault lost-event@shot 2")
        try camera.command("burst 3 20")
        try await rig.saved(3)
        // And with no other announcement after it: the room on the card tells.
        try camera.command("fault lost-event")
        try camera.command("shoot")
        try await rig.saved(4)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
    }

    /// The driver reads the whole folder when it looks for the second photo: what it has read is not yet told.
    @Test(
        .nightly("the announcement that was lost of a generic camera covers the look at the camera's list"),
        arguments: ["generic", "canon", "nikon"])
    func `a lost announcement is noticed also when the driver has met the photo on its way`(maker: String)
        async throws
    {
        let camera = try await Simulator(folder, ["--size", "50KB", "--maker", maker, "--pairs"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        try await rig.start()
        try await ready(rig)
        try camera.command("fault lost-event@shot 1")
        try camera.command("shoot 2")
        try await rig.saved(4)
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
    }

    @Test func `a photo that came damaged is told of until it is read once more`() async throws {
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)])
        rig.expectedErrors = ["condition=photo-damaged"]
        try await rig.start()
        try await ready(rig)
        // Twice the same wrong bytes: then it is believed.
        try camera.command("fault bit-flip:0*always@shot 1")
        try camera.command("shoot")
        let damaged = try #require(try await rig.settled(1).first)
        #expect(damaged.state == .damaged)
        try await rig.status("the damage") { $0.conditions.contains { $0.code == "photo-damaged" } }
        try await rig.stop()
        let before = try objectsRead(camera)
        try await rig.start()
        let told = try await rig.status("the damage to be told once more") {
            $0.conditions.contains { $0.code == "photo-damaged" && $0.nextStep?.contains("retry") == true }
        }
        // The new session looks by itself once, with two readings: what is asked for after that is the person's.
        try await eventually("the session's own look at the photo", within: 60) {
            try objectsRead(camera) >= before + 2 ? () : nil
        }
        try await rig.quiet()
        try camera.command("clear-faults")
        let retry = try await PrintedCommand.run(of: "photo-damaged", in: told, on: rig)
        #expect(retry.status == 0, "\(retry.output)")
        try await rig.saved(1)
        try await rig.status("nothing to be wrong any more") { $0.conditions.isEmpty }
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(throws: ClientError.self) { try rig.client.call(\.captures.retry, damaged.id) }
    }

    @Test(.nightly("SameSerialTests has four cameras with the same names"))
    func `two cameras with the same file names are kept apart`() async throws {
        let one = try await Simulator(
            folder, name: "one", ["--size", "50KB", "--serial", "A1", "--seed", "1"])
        let two = try await Simulator(
            folder, name: "two", ["--size", "50KB", "--serial", "B2", "--seed", "2"])
        let rig = try DaemonRig(
            cameras: [("a", one.address), ("b", two.address)], capture: ["template = \"{original}.{ext}\""])
        try await rig.start()
        try await ready(rig)
        try one.command("shoot 5")
        try two.command("shoot 5")
        let wrong = try await rig.untilIntact(one.truth() + two.truth())
        #expect(wrong == [])
        let records = try await rig.settled(10)
        let byCamera = Dictionary(grouping: records, by: \.cameraName).mapValues {
            Set($0.compactMap(\.sha256))
        }
        #expect(byCamera["a"] == Set(try one.truth().map(\.sha256)), "[loss] photos of camera a")
        #expect(byCamera["b"] == Set(try two.truth().map(\.sha256)), "[loss] photos of camera b")
    }

    @Test(.nightly("SameSerialTests exchanges the addresses of bodies"))
    func
        `another body at the same address is another camera, and the first one's card is known when it is back`()
        async throws
    {
        let first = try await Simulator(
            folder, name: "first", ["--size", "50KB", "--serial", "A1", "--existing", "2"])
        let port = first.port
        let rig = try DaemonRig(cameras: [("a", first.address)])
        try await rig.start()
        try await rig.saved(2)
        let before = try first.truth()
        first.program.signal(15)
        try await first.program.ended()
        let second = try await Simulator(
            folder, name: "second", port: port, ["--size", "50KB", "--serial", "B2", "--existing", "2"])
        try await rig.saved(4)
        let wrong = try await rig.untilIntact(before + second.truth())
        #expect(wrong == [])
    }
}
