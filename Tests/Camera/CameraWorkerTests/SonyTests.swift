import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of a Sony, whose photos are transferred from its memory.
@Suite(.serialized, .programs(2)) struct SonyTests {
    private let announcements = Announcements()

    private func announced(_ worker: WorkerProcess) throws -> CameraObject {
        try announcements.next(of: worker)
    }

    @Test(arguments: Tier.rows(["device-info", "first-list", "second-list"], gate: ["second-list"]))
    func `detects PC Remote from any list that contains the release operation`(place: String) throws {
        let camera = try SimulatedCamera(maker: "sony", ["--size", "50KB", "--sony-release", place])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(facts.hasSonyCapture == true && facts.canTrigger && !facts.canList)
        let trigger = try worker.send { .trigger(id: $0) }
        #expect(try worker.reply(to: trigger) == .done(id: trigger))
        guard case .fetched(_, let result) = try worker.fetch(worker.nextObject()).reply else {
            Issue.record("the photo was not fetched")
            return
        }
        #expect(try camera.hashes().contains(result.sha256), "[loss] wrong photos from the camera")
    }

    @Test func `a Sony without the release operation is not in PC Remote`() throws {
        let camera = try SimulatedCamera(maker: "sony", ["--sony-release", "nowhere"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(facts.hasSonyCapture == false && !facts.canTrigger)
    }

    /// Returns the values that were sent to PriorityMode since the last call: `01` for the computer, `00` for
    /// the dials.
    private func priorities(of camera: SimulatedCamera) throws -> [String] {
        try camera.operations().filter { $0.code == "9205" && $0.parameters.first == 0xD25A }.map(\.data)
    }

    /// The driver takes control when it opens the camera.
    @Test func `returns control to a Sony's dials after opening and after a change`() throws {
        let camera = try SimulatedCamera(maker: "sony")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try priorities(of: camera) == ["01", "00"])
        #expect(try worker.change(["iso": "800"]).map(\.outcome) == [.set])
        #expect(try priorities(of: camera) == ["01", "00"])
    }

    @Test func `stops requesting a Sony's photos while the store is full`() throws {
        let camera = try SimulatedCamera(maker: "sony", ["--size", "50KB"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(!facts.canList && facts.hasSonyCapture == true && facts.vendorExtensionID == 0x11)
        try camera.send("burst 24 0")
        var objects: [CameraObject] = []
        for _ in 0..<16 { objects.append(try announced(worker)) }
        #expect(try worker.list() == objects)
        // The other photos wait in the camera's memory, which does not survive a broken connection.
        func countsEightPhotos(_ event: WorkerEvent) -> Bool {
            if case .facts(let facts) = event { facts.bufferedObjects == 8 } else { false }
        }
        while !worker.events.contains(where: countsEightPhotos) { _ = try worker.next() }
        #expect(try camera.state().requests["getObject"] == 16)
        for _ in 0..<24 {
            if objects.isEmpty { objects.append(try announced(worker)) }
            let object = objects.removeFirst()
            guard case .fetched(_, let result) = try worker.fetch(object).reply else {
                Issue.record("the photo was not fetched")
                return
            }
            #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
            _ = try worker.request { .delete(id: $0, object) }
        }
        #expect(try worker.list().isEmpty)
        #expect(try camera.state().crashes == 0)
        // The target is `both`: every photo is also on the card.
        #expect(try camera.state().files == 24)
    }

    @Test func `a Sony's stored photos survive a reconnection and a killed worker`() throws {
        let camera = try SimulatedCamera(maker: "sony", ["--size", "50KB"])
        var worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.send("burst 3 0")
        let objects = try (0..<3).map { _ in try worker.nextObject() }
        _ = try worker.request { .delete(id: $0, objects[0]) }
        // First a new connection in the same worker, then a killed worker.
        for isKilled in [false, true] {
            if isKilled {
                kill(worker.pid, SIGKILL)
                worker.waitForExit()
                worker = try WorkerProcess(home: worker.scratch)
            }
            _ = try worker.open(camera)
            #expect(try worker.list() == Array(objects[1...]))
            // A later photo is stored at a new path.
            camera.press()
            let new = try worker.nextObject()
            #expect(!objects.contains(new))
            #expect(try worker.list() == objects[1...] + [new])
            for object in objects[1...] + [new] {
                let (reply, part) = try worker.fetch(object)
                defer { unlink(part) }
                guard case .fetched(_, let result) = reply else {
                    Issue.record("the photo was not fetched")
                    return
                }
                #expect(
                    try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
            }
            _ = try worker.request { .delete(id: $0, new) }
        }
        for object in objects { _ = try worker.request { .delete(id: $0, object) } }
        #expect(try worker.list().isEmpty)
        _ = try worker.send { _ in .close }
        worker.waitForExit()
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        #expect(try next.list().isEmpty)
    }

    @Test func `ignores a stored photo that is incomplete on the disk`() throws {
        let camera = try SimulatedCamera(maker: "sony", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.send("burst 2 0")
        let objects = try (0..<2).map { _ in try worker.nextObject() }
        kill(worker.pid, SIGKILL)
        worker.waitForExit()
        #expect(truncate(worker.scratch.file("from-memory-1.photo"), 40_000) == 0)
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        #expect(try next.list() == [objects[1]])
    }

    /// Truncated information about the photo, and an empty response instead of the photo.
    @Test(
        arguments: Tier.rows(
            ["info-short:0*2", "info-short:51", "zero-read"], gate: ["info-short:0*2", "zero-read"]))
    func `requests a Sony's photo again after a truncated response`(fault: String) throws {
        let camera = try SimulatedCamera(maker: "sony", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.send("fault \(fault)")
        try camera.send("shoot")
        let object = try announced(worker)
        guard case .fetched(_, let result) = try worker.fetch(object).reply else {
            Issue.record("the photo was not fetched")
            return
        }
        #expect(try result.sha256 == camera.truth(of: object.name).sha256, "[loss] wrong photo content")
    }
}
