import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of a large card in a camera that responds slowly to each ObjectInfo request. If the driver
/// listed the complete card in one call, the call would block the worker for a long time.
@Suite(.serialized, .programs(2)) struct LargeCardTests {
    /// The number of photos on the card. Because the camera is slow, the worker must not let the driver read
    /// all of them in one call.
    private static let count = 150
    /// The number of photos for tests that act during the listing. Listing these photos takes at least 8 s.
    private static let longCount = 400

    private static let slowAtFirst = "stall:50*9@op 0x1008"

    /// Starts a camera.
    ///
    /// - Parameters:
    ///   - always: Whether the camera is always slow. Otherwise, the camera is slow only at first.
    ///   - count: The number of photos on the card.
    private func camera(isSlow always: Bool, count: Int = Self.count) throws -> SimulatedCamera {
        let slow = always ? "stall:20*always@op 0x1008" : Self.slowAtFirst
        return try SimulatedCamera(["--existing", "\(count)", "--size", "20KB", "--fault", slow])
    }

    private func requests(_ camera: SimulatedCamera) throws -> Int {
        try camera.state().requests.values.reduce(0, +)
    }

    /// Takes a photo on the camera and fetches it.
    ///
    /// - Returns: The number of requests for the photo, including requests for the card in between.
    private func shoot(_ camera: SimulatedCamera, _ worker: WorkerProcess) throws -> Int {
        let before = try requests(camera)
        camera.press()
        let object = try worker.nextObject()
        guard case .fetched = try worker.fetch(object).reply else {
            throw CameraTestError(words: "the photo was not fetched")
        }
        return try requests(camera) - before
    }

    private func infos(_ camera: SimulatedCamera) throws -> Int {
        try camera.state().requests["getObjectInfo"] ?? 0
    }

    /// Waits for the next portion of a listing.
    private func portion(
        _ worker: WorkerProcess, _ list: UInt64
    ) throws -> (objects: [CameraObject], isLast: Bool, total: Int?) {
        try worker.wait { event in
            if case .listed(list, let objects, let isLast, let total) = event {
                (objects, isLast, total)
            } else {
                nil
            }
        }
    }

    @Test func `reads and changes settings while the card is being read`() throws {
        let camera = try camera(isSlow: true, count: Self.longCount)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let list = try worker.send { .list(id: $0) }
        _ = try portion(worker, list)
        #expect(try worker.change(["iso": "800"]).map(\.outcome) == [.set])
        #expect(try worker.settings(["iso"]).first?.value?.text == "800")
        let isListed = worker.events.contains {
            if case .listed(list, _, true, _) = $0 { true } else { false }
        }
        #expect(!isListed)
        try camera.send("clear-faults")
        var isLast = false
        while !isLast { isLast = try portion(worker, list).isLast }
    }

    @Test func `announces and fetches a new photo while the card is being read`() throws {
        let camera = try camera(isSlow: true, count: Self.longCount)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let list = try worker.send { .list(id: $0) }
        let first = try portion(worker, list)
        #expect(!first.isLast && !first.objects.isEmpty)
        // The listing counts the photos, the folder DCIM and its subfolder.
        #expect(first.total == Self.longCount + 2)
        camera.press()
        var listed = first.objects
        var fetch: (id: UInt64, part: String)?
        var order: [String] = []
        while order.last != "listed" {
            switch try worker.next() {
            case .objectAdded(let object):
                order.append("added")
                fetch = try worker.sendFetch(object)
            case .fetched(let id, let result):
                #expect(id == fetch?.id)
                #expect(result.bytes > 0)
                order.append("fetched")
                try camera.send("clear-faults")
            case .listed(list, let objects, let isLast, _):
                listed += objects
                if isLast { order.append("listed") }
            case .failed(_, let failure): Issue.record("\(failure)")
            default: break
            }
        }
        #expect(order == ["added", "fetched", "listed"])
        #expect(listed.count == Self.longCount)
        #expect(Set(listed).count == Self.longCount)
    }

    /// The limits of this test apply to an idle system. On a busy system, the worker polls more often while
    /// the test waits for a shot.
    @Test(.nightly("measures the requests that a shot waits for"), arguments: [1, 9_999 - 120])
    func `a shot waits for the listing of folders but not of photos`(firstNumber: Int) throws {
        // With the second argument, the photos are in two folders, and the shot is in the folder that is read
        // last.
        let camera = try SimulatedCamera(
            [
                "--existing", "300", "--first-number", "\(firstNumber)", "--size", "20KB", "--fault",
                "stall:20*always@op 0x1008",
            ])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let list = try worker.send { .list(id: $0) }
        #expect(try shoot(camera, worker) <= 60)
        // The listing continues with its next portion.
        _ = try portion(worker, list)
        #expect(try shoot(camera, worker) <= 60)
    }

    @Test func `announces a shot taken between connecting and listing`() throws {
        _ = try requestsUntilAnnounced()
    }

    @Test(.nightly("measures the requests that a shot waits for"))
    func `announces a shot taken before the listing within 60 requests`() throws {
        #expect(try requestsUntilAnnounced() <= 60)
    }

    /// Takes a shot before a slow card is listed.
    ///
    /// - Returns: The number of requests until the worker announced the shot.
    private func requestsUntilAnnounced() throws -> Int {
        let camera = try camera(isSlow: true)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let before = try requests(camera)
        camera.press()
        _ = try worker.send { .list(id: $0) }
        _ = try worker.nextObject()
        return try requests(camera) - before
    }

    @Test func `lists a known card and the photos taken since the last connection`() throws {
        _ = try listKnownCard()
    }

    @Test(.nightly("measures the requests that a known card costs"))
    func `lists a known card by its handles and verifies the photos while idle`() throws {
        let (camera, worker, cost) = try listKnownCard()
        #expect(cost <= 20, "the count includes the requests that measure the response time")
        // A portion of a listing reads about five photos. A shot that waits for a portion would exceed the
        // limit of four requests.
        for most in [15, 4, 4] { #expect(try shoot(camera, worker) <= most) }
    }

    /// Lists a card with a second worker, after two photos were taken while no worker was connected.
    ///
    /// - Returns: The camera, the second worker and the number of requests for the second listing.
    private func listKnownCard() throws -> (SimulatedCamera, WorkerProcess, cost: Int) {
        let camera = try camera(isSlow: true)
        let first = try WorkerProcess()
        _ = try first.open(camera)
        _ = try first.list()
        kill(first.pid, SIGKILL)
        _ = first.waitForExit()
        try camera.send("burst 2 0")
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera)
        let before = try requests(camera)
        let objects = try second.list()
        #expect(objects.count == Self.count + 2 && Set(objects).count == objects.count)
        return (camera, second, try requests(camera) - before)
    }

    @Test func `a listing in portions equals the driver's listing`() throws {
        let camera = try camera(isSlow: false)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.send("protect IMG_0003.JPG")
        let slow = try worker.list()
        try camera.send("clear-faults")
        _ = try worker.open(camera)
        let quick = try worker.list()
        #expect(slow == quick)
        #expect(slow.map(\.isProtected) == quick.map(\.isProtected))
        #expect(slow.count == Self.count)
    }

    /// The camera is slow at first. Therefore the worker hides most of the photo folder from the driver. At
    /// the second listing, the camera is fast.
    @Test func `a second listing is complete even if the camera responds faster`() throws {
        let camera = try camera(isSlow: false)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let first = try worker.list()
        #expect(first.count == Self.count)
        try camera.send("clear-faults")
        let second = try worker.list()
        #expect(second.count == first.count && Set(second) == Set(first), "[loss] wrong photos in the list")
        camera.press()
        let new = try worker.nextObject()
        #expect(try Set(worker.list()) == Set(first + [new]), "[loss] wrong photos in the list")
        let last = try worker.send { .reconcile(id: $0) }
        #expect(try worker.reply(to: last) == .reconciled(id: last, missing: 0, total: Self.count + 3))
    }

    @Test func `completes an interrupted listing in the next connection`() throws {
        _ = try listInTwoSessions()
    }

    @Test(.nightly("measures the requests that a listing costs"))
    func `resumes an interrupted listing from the cache`() throws {
        let (reported, asked) = try listInTwoSessions()
        // The number includes the requests for folders and roots, and the requests that measure the camera's
        // response time.
        #expect(asked <= Self.count - reported + 20)
    }

    /// Interrupts a listing, and lists the card again in the next connection.
    ///
    /// - Returns: The number of photos that the first connection reported, and the number of photos that the
    ///   second connection read for its list.
    private func listInTwoSessions() throws -> (reported: Int, asked: Int) {
        let camera = try camera(isSlow: true)
        let first = try WorkerProcess()
        _ = try first.open(camera)
        let list = try first.send { .list(id: $0) }
        var reported = 0
        while reported < 40 { reported += try portion(first, list).objects.count }
        kill(first.pid, SIGKILL)
        _ = first.waitForExit()
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera)
        let before = try infos(camera)
        let objects = try second.list()
        #expect(Set(objects).count == Self.count && objects.count == Self.count)
        let asked = try infos(camera) - before
        // Eventually, the second connection reads every photo.
        try pollUntil { try infos(camera) - before >= Self.count }
        #expect(try infos(camera) - before >= Self.count)
        #expect(
            try second.request { .reconcile(id: $0) } == .reconciled(id: 3, missing: 0, total: Self.count + 2)
        )
        return (reported, asked)
    }

    @Test func `discards a cached object whose handle belongs to another photo`() throws {
        let camera = try camera(isSlow: false)
        let first = try WorkerProcess()
        _ = try first.open(camera)
        let real = try #require(try first.list().dropFirst(4).first)
        kill(first.pid, SIGKILL)
        _ = first.waitForExit()
        let memory = first.scratch.file("card.jsonl")
        let text = try String(contentsOfFile: memory, encoding: .utf8)
        #expect(text.contains(#""\#(real.name)""#))
        try text.replacingOccurrences(of: #""\#(real.name)""#, with: #""OTHER.JPG""#)
            .write(toFile: memory, atomically: true, encoding: .utf8)
        try camera.send("fault \(Self.slowAtFirst)")
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera)
        #expect(try second.list().contains { $0.name == "OTHER.JPG" })
        #expect(try second.nextObject() == real)
        #expect(!FileManager.default.fileExists(atPath: memory))
        guard case .fetched = try second.fetch(real).reply else {
            Issue.record("the photo was not fetched")
            return
        }
    }

    @Test func `fetches and deletes photos anywhere in a large folder`() throws {
        let camera = try camera(isSlow: false)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        for index in [Self.count - 1, 0, 1, 120, 119] {
            let (reply, _) = try worker.fetch(objects[index])
            guard case .fetched(_, let result) = reply else {
                Issue.record("\(index): \(reply)")
                continue
            }
            #expect(
                try result.sha256 == camera.truth(of: objects[index].name).sha256,
                "[loss] wrong photo content")
        }
        let gone = objects[40]
        let id = try worker.send { .delete(id: $0, gone) }
        #expect(try worker.reply(to: id) == .done(id: id))
        #expect(try camera.state().deleted == 1)
        // A photo taken afterwards is announced, and no photo is missing.
        camera.press()
        #expect(try worker.nextObject().name != gone.name)
        let last = try worker.send { .reconcile(id: $0) }
        #expect(try worker.reply(to: last) == .reconciled(id: last, missing: 0, total: Self.count + 2))
    }

    @Test func `a lost camera ends the listing and the connection`() throws {
        let camera = try camera(isSlow: true, count: Self.longCount)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let list = try worker.send { .list(id: $0) }
        _ = try portion(worker, list)
        try camera.send("link down")
        let failure = try worker.wait { event -> WorkerFailure? in
            if case .failed(list, let failure) = event { failure } else { nil }
        }
        #expect(failure.kind == .disconnected)
        _ = try worker.wait { if case .lost = $0 { true } else { nil } }
    }
}
