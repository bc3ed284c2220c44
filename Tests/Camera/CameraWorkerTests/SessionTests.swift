import Crypto
import Foundation
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

@Suite(.serialized, .programs(2)) struct SessionTests {
    /// Returns the SHA-256 of a file, in lower-case hex.
    private func sha256(_ path: String) throws -> String {
        let bytes = try #require(FileManager.default.contents(atPath: path))
        return SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }

    private func expectWhole(_ reply: WorkerEvent, _ part: String, _ photo: SimulatedCamera.Photo) throws {
        guard case .fetched(_, let result) = reply else {
            Issue.record("the photo was not fetched: \(reply)")
            return
        }
        #expect(result.bytes == photo.size, "[loss] wrong photo size")
        #expect(result.sha256 == photo.sha256, "[loss] wrong photo content")
        #expect(try sha256(part) == photo.sha256, "[loss] wrong photo content")
        let mode = try FileManager.default.attributesOfItem(atPath: part)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test(arguments: ["generic", "canon", "nikon"])
    func `opens and lists a camera and fetches its photos intact`(maker: String) throws {
        let camera = try SimulatedCamera(
            maker: maker, ["--existing", "3", "--size", "300KB-5MB", "--serial", "S1"])
        let worker = try WorkerProcess()
        let facts = try worker.open(camera)
        #expect(facts.serial == "S1")
        #expect(facts.batteryPercent == 80)
        #expect(facts.canTrigger && facts.canDelete)
        #expect(facts.storages.count == 1)
        #expect(facts.shotsLeft ?? 0 > 0)
        #expect(abs(try #require(facts.clockDriftSeconds)) < 600)
        let objects = try worker.list()
        #expect(objects.count == 3)
        for object in objects {
            let (reply, part) = try worker.fetch(object)
            try expectWhole(reply, part, camera.truth(of: object.name))
        }
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon", "sony", "fuji"], gate: ["canon"]))
    func `fetches photos but refuses most commands if it cannot see the packets`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--size", "300KB"])
        let worker = try WorkerProcess(rewriting: { driver in
            let words = try #require(driver.firstRange(of: Data("oprequest data:".utf8)))
            driver.replaceSubrange(words, with: Data("oprequest DATA:".utf8))
        })
        let facts = try worker.open(camera)
        #expect(facts.onlyFetchesPhotos && facts.canTrigger)
        #expect(facts.canList == (maker != "sony") && facts.mustDeleteAfterSave == (maker == "fuji"))
        _ = try worker.list()
        camera.press()
        let photo = try worker.nextObject()
        guard case .fetched(_, let result) = try worker.fetch(photo).reply else {
            Issue.record("the photo was not fetched")
            return
        }
        #expect(try camera.hashes() == [result.sha256], "[loss] wrong photo content")
        if maker == "canon" {
            func isKeptAwake() throws -> Bool { try camera.state().requests["canonKeepDeviceOn"] ?? 0 > 0 }
            try pollUntil { try isKeptAwake() }
            #expect(try isKeptAwake(), "without the packets, the driver keeps the camera awake")
        }
        let replies = try [
            worker.request { .readSettings(id: $0, names: []) },
            worker.request { .setClock(id: $0, zoneOffsetSeconds: 0) },
            worker.request { .focus(id: $0, .auto) },
            worker.request { .liveFrame(id: $0, LiveFrameCommand()) },
        ]
        for reply in replies {
            guard case .failed(_, let failure) = reply else {
                Issue.record("the command was not refused: \(reply)")
                continue
            }
            #expect(failure.kind == .unguarded && failure.text.contains("libgphoto2 2."), "\(failure)")
        }
        if maker == "fuji" {
            // The driver reports success even if the camera refuses.
            try camera.send("fault access-denied@op 0x100B")
            guard case .failed(_, let failure) = try worker.request({ .delete(id: $0, photo) }) else {
                Issue.record("a refusal of the camera counts as success")
                return
            }
            #expect(failure.kind == .refused, "\(failure)")
        }
        // If the worker cannot see the packets, it deletes no photo from a card. It deletes photos from a
        // Fujifilm's memory, because a full memory would stop the camera. For a Sony, it deletes only its
        // stored copy.
        let reply = try worker.request { .delete(id: $0, photo) }
        if case .failed(_, let failure) = reply {
            #expect(failure.kind == .unguarded && !["fuji", "sony"].contains(maker), "\(failure)")
        } else {
            #expect(["fuji", "sony"].contains(maker), "\(reply)")
        }
        #expect(
            try camera.state().deleted == (maker == "fuji" ? 1 : 0), "[loss] wrong number of deleted photos")
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["generic", "canon"]))
    func `an announced photo equals the same photo in the list`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--existing", "1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        #expect(try worker.request { .trigger(id: $0) } == .done(id: 3))
        let announced = try worker.nextObject()
        #expect(announced.cameraTime != nil)
        #expect(try worker.list().contains(announced))
        camera.press()
        let second = try worker.nextObject()
        #expect(second.name != announced.name)
        // In a new connection, the driver has no earlier events. The list must contain both photos.
        _ = try worker.open(camera)
        let listed = try worker.list()
        #expect(listed.contains(announced) && listed.contains(second))
    }

    /// Sets the camera's clock an hour behind. Returns the measured drift without this hour.
    private func driftBeyondHour(_ maker: String) throws -> Int {
        let camera = try SimulatedCamera(maker: maker, ["--clock-offset=-3600"])
        return try #require(WorkerProcess().open(camera).clockDriftSeconds) + 3_600
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["canon"]))
    func `reports the clock's drift`(maker: String) throws {
        #expect(abs(try driftBeyondHour(maker)) < 600)
    }

    @Test(.nightly("measures the clock to a second"), arguments: ["generic", "canon", "nikon"])
    func `reports the clock's drift to the second`(maker: String) throws {
        #expect(abs(try driftBeyondHour(maker)) <= 1)
        let camera = try SimulatedCamera(maker: maker)
        #expect(abs(try #require(WorkerProcess().open(camera).clockDriftSeconds)) <= 1)
    }

    @Test func `reads the clock correctly before and after summer time begins`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        // The camera's clock shows UTC. In three seconds, the zone's offset changes by an hour. If a busy
        // system needs longer to open the camera, the test tries again with a later change.
        var (lead, change): (Int64, Int64) = (3, 0)
        var before: Int?
        repeat {
            change = Int64(time(nil)) + lead
            lead *= 4
            let zone = ZoneOffsets(seconds: 0, changes: [.init(at: change, seconds: 3_600)])
            before = try worker.open(camera, zone: zone).clockDriftSeconds
        } while Int64(time(nil)) >= change
        #expect(abs(before ?? 99) <= 60)
        while Int64(time(nil)) < change {
            _ = try worker.wait { if case .heartbeat = $0 { true } else { nil } }
        }
        try worker.send { .refresh(id: $0) }
        // Facts from before the change may arrive first.
        _ = try worker.wait { event -> Bool? in
            guard case .facts(let facts) = event, let drift = facts.clockDriftSeconds else { return nil }
            return abs(drift + 3_600) <= 60 ? true : nil
        }
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["nikon"]))
    func `deletes one object and reports a second deletion as gone`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--existing", "3"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        let first = try #require(objects.first)
        #expect(try worker.request { .delete(id: $0, first) } == .done(id: 3))
        guard
            case .failed(_, let failure) = try worker.request({
                .delete(id: $0, first)
            })
        else {
            Issue.record("the second deletion succeeded")
            return
        }
        #expect(failure.kind == .objectGone)
        _ = try worker.open(camera)
        #expect(try worker.list().count == 2)
    }

    @Test func `reconcile counts objects that the camera refuses to describe`() throws {
        let camera = try SimulatedCamera(
            maker: "nikon", ["--existing", "2", "--fault", "access-denied*always@op 0x1008"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try worker.list().isEmpty)
        guard case .reconciled(_, _, 4, let refused) = try worker.request({ .reconcile(id: $0) }) else {
            Issue.record("the comparison failed")
            return
        }
        #expect(refused > 0)
        try camera.send("clear-faults")
        _ = try worker.open(camera)
        #expect(try worker.list().count == 2)
        #expect(try worker.request { .reconcile(id: $0) } == .reconciled(id: 6, missing: 0, total: 4))
    }

    @Test(arguments: Tier.rows(["generic", "canon", "nikon"], gate: ["generic", "canon"]))
    func `reconcile finds a photo whose event was lost`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--existing", "2", "--fault", "lost-event@shot 1"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try worker.list().count == 2)
        #expect(try worker.request { .reconcile(id: $0) } == .reconciled(id: 3, missing: 0, total: 4))
        _ = try worker.request { .trigger(id: $0) }
        #expect(try worker.request { .reconcile(id: $0) } == .reconciled(id: 5, missing: 1, total: 5))
        _ = try worker.open(camera)
        #expect(try worker.list().count == 3)
    }

    @Test func `performs a trigger and announces its photo during a long fetch`() throws {
        // The fetch takes so long that the trigger arrives during the fetch even on a busy system. The test
        // does not wait for the end of the fetch.
        let camera = try SimulatedCamera(["--existing", "1", "--size", "20MB", "--rate", "1MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let object = try #require(try worker.list().first)
        let fetch = try worker.sendFetch(object)
        _ = try worker.wait { if case .progress(fetch.id, _) = $0 { true } else { nil } }
        let trigger = try worker.send { .trigger(id: $0) }
        var order: [String] = []
        _ = try worker.wait { event -> Bool? in
            switch event {
            case .done(trigger): order.append("done")
            case .objectAdded: order.append("added")
            case .fetched(fetch.id, _): order.append("fetched")
            default: break
            }
            return order.last == "added" || order.last == "fetched" ? true : nil
        }
        #expect(order == ["done", "added"])
    }

    @Test
    func `reads a driver setting by name and omits an unknown setting`() throws {
        let camera = try SimulatedCamera(maker: "nikon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        guard
            case .settings(_, let settings) = try worker.request({
                .readSettings(id: $0, names: ["batterylevel", "nonsense"])
            })
        else {
            Issue.record("the worker returned no settings")
            return
        }
        #expect(settings.map(\.name) == ["batterylevel"])
        #expect(settings.first?.writable == .no)
        #expect(settings.first?.word.hasPrefix("80") == true)
    }
}
