import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// A card that the driver could list only with a long pause, because the camera takes its time for each ObjectInfo.
@Suite(.serialized, .programs(2)) struct LargeCardTests {
    /// More than the driver may read in one go from a camera so slow.
    private static let count = 150

    private static let slowAtFirst = "stall:50*9@op 0x1008"

    /// - Parameter always: whether it stays slow, or only seems so at first.
    private func camera(isSlow always: Bool) throws -> SimulatedCamera {
        let slow = always ? "stall:20*always@op 0x1008" : Self.slowAtFirst
        return try SimulatedCamera(["--existing", "\(Self.count)", "--size", "20KB", "--fault", slow])
    }

    private func requests(_ camera: SimulatedCamera) throws -> Int {
        try camera.state().requests.values.reduce(0, +)
    }

    /// Lets the camera take a photo, and fetches it.
    ///
    /// - Returns: how many requests that took, those for the card between included.
    private func shoot(_ camera: SimulatedCamera, _ worker: WorkerProcess) throws -> Int {
        let before = try requests(camera)
        camera.press()
        let object = try worker.nextObject()
        guard case .fetched = try worker.fetch(object).answer else {
            throw CameraTrouble(words: "not fetched")
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

    @Test func `settings are read and changed while the card is being read`() throws {
        let camera = try camera(isSlow: true)
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
        var isLast = false
        while !isLast { isLast = try portion(worker, list).isLast }
    }

    @Test func `a new photo is announced and fetched while the card is being read`() throws {
        let camera = try camera(isSlow: true)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let list = try worker.send { .list(id: $0) }
        let first = try portion(worker, list)
        #expect(!first.isLast && !first.objects.isEmpty)
        // The photos, DCIM and its folder.
        #expect(first.total == Self.count + 2)
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
            case .listed(list, let objects, let isLast, _):
                listed += objects
                if isLast { order.append("listed") }
            case .failed(_, let failure): Issue.record("\(failure)")
            default: break
            }
        }
        #expect(order == ["added", "fetched", "listed"])
        #expect(listed.count == Self.count)
        #expect(Set(listed).count == Self.count)
    }

    /// A busy computer asks more often for events while it waits, so these counts are for a quiet one.
    @Test(.nightly("measures the requests that a shot waits for"), arguments: [1, 9_999 - 120])
    func `a shot waits for which folders there are, and for none of their photos`(firstNumber: Int) throws {
        // From the second number on they lie in two folders, and the shot comes to the one that is read last.
        let camera = try SimulatedCamera(
            [
                "--existing", "300", "--first-number", "\(firstNumber)", "--size", "20KB", "--fault",
                "stall:20*always@op 0x1008",
            ])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let list = try worker.send { .list(id: $0) }
        #expect(try shoot(camera, worker) <= 60)
        // Where the listing goes on, and the next one comes.
        _ = try portion(worker, list)
        #expect(try shoot(camera, worker) <= 60)
    }

    @Test func `a shot between the beginning of a session and its list is announced`() throws {
        _ = try requestsUntilAnnounced()
    }

    @Test(.nightly("measures the requests that a shot waits for"))
    func `a shot before the list of a session is announced when the list has begun`() throws {
        #expect(try requestsUntilAnnounced() <= 60)
    }

    /// Takes a shot before a slow card is listed.
    ///
    /// - Returns: The number of requests until the shot was announced.
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

    @Test func `a known card is listed with the photos that came since`() throws {
        _ = try listKnownCard()
    }

    @Test(.nightly("measures the requests that a known card costs"))
    func `a known card is listed by its handles, and read again while the camera is idle`() throws {
        let (camera, worker, cost) = try listKnownCard()
        #expect(cost <= 20, "with those that learn how fast it is")
        // Reading the card again would cost a portion of five at a time.
        for most in [15, 4, 4] { #expect(try shoot(camera, worker) <= most) }
    }

    /// Lists a card in a second worker, after two photos came without a worker.
    ///
    /// - Returns: The number of requests that the second list cost.
    private func listKnownCard() throws -> (SimulatedCamera, WorkerProcess, cost: Int) {
        let camera = try camera(isSlow: true)
        let first = try WorkerProcess()
        _ = try first.open(camera)
        _ = try first.list()
        kill(first.pid, SIGKILL)
        _ = first.ending()
        // Taken while nobody listened.
        try camera.say("burst 2 0")
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera)
        let before = try requests(camera)
        let objects = try second.list()
        #expect(objects.count == Self.count + 2 && Set(objects).count == objects.count)
        return (camera, second, try requests(camera) - before)
    }

    @Test func `a listing in portions says the same, in the same order, as the driver's at a stretch`() throws
    {
        let camera = try camera(isSlow: false)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        try camera.say("protect IMG_0003.JPG")
        let slow = try worker.list()
        try camera.say("clear-faults")
        _ = try worker.open(camera)
        let quick = try worker.list()
        #expect(slow == quick)
        #expect(slow.map(\.isProtected) == quick.map(\.isProtected))
        #expect(slow.count == Self.count)
    }

    /// The camera seems slow at first, so that its folder is held back from the driver, and quick when it is listed again.
    @Test func `a second listing of a session has all photos, also if the camera answers faster by then`()
        throws
    {
        let camera = try camera(isSlow: false)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let first = try worker.list()
        #expect(first.count == Self.count)
        try camera.say("clear-faults")
        let second = try worker.list()
        #expect(second.count == first.count && Set(second) == Set(first), "[loss] photos in the list")
        camera.press()
        let new = try worker.nextObject()
        #expect(try Set(worker.list()) == Set(first + [new]), "[loss] photos in the list")
        let last = try worker.send { .reconcile(id: $0) }
        #expect(try worker.answer(to: last) == .reconciled(id: last, missing: 0, total: Self.count + 3))
    }

    @Test func `a listing that was cut short ends in the next session`() throws {
        _ = try listInTwoSessions()
    }

    @Test(.nightly("measures the requests that a listing costs"))
    func `resumes a listing that was cut short`() throws {
        let (told, asked) = try listInTwoSessions()
        // Folders, the roots, and what is asked to learn how fast the camera is, come on top.
        #expect(asked <= Self.count - told + 20)
    }

    /// Ends a session in the midst of its listing, and lists the card in the next one.
    ///
    /// - Returns: The photos that the first session reported, and those that the second one asked for in its list.
    private func listInTwoSessions() throws -> (told: Int, asked: Int) {
        let camera = try camera(isSlow: true)
        let first = try WorkerProcess()
        _ = try first.open(camera)
        let list = try first.send { .list(id: $0) }
        var told = 0
        while told < 40 { told += try portion(first, list).objects.count }
        kill(first.pid, SIGKILL)
        _ = first.ending()
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera)
        let before = try infos(camera)
        let objects = try second.list()
        #expect(Set(objects).count == Self.count && objects.count == Self.count)
        let asked = try infos(camera) - before
        // In the end each was asked for in this session too.
        try pollUntil { try infos(camera) - before >= Self.count }
        #expect(try infos(camera) - before >= Self.count)
        #expect(
            try second.ask { .reconcile(id: $0) } == .reconciled(id: 3, missing: 0, total: Self.count + 2))
        return (told, asked)
    }

    @Test func `what a handle was remembered for is not believed when it stands for another photo`() throws {
        let camera = try camera(isSlow: false)
        let first = try WorkerProcess()
        _ = try first.open(camera)
        let real = try #require(try first.list().dropFirst(4).first)
        kill(first.pid, SIGKILL)
        _ = first.ending()
        let memory = first.scratch.file("card.jsonl")
        let text = try String(contentsOfFile: memory, encoding: .utf8)
        #expect(text.contains(#""\#(real.name)""#))
        try text.replacingOccurrences(of: #""\#(real.name)""#, with: #""OTHER.JPG""#)
            .write(toFile: memory, atomically: true, encoding: .utf8)
        try camera.say("fault \(Self.slowAtFirst)")
        let second = try WorkerProcess(home: first.scratch)
        _ = try second.open(camera)
        #expect(try second.list().contains { $0.name == "OTHER.JPG" })
        #expect(try second.nextObject() == real)
        #expect(!FileManager.default.fileExists(atPath: memory))
        guard case .fetched = try second.fetch(real).answer else {
            Issue.record("not fetched")
            return
        }
    }

    @Test func `photos of a large folder are fetched from anywhere in it, and deleted`() throws {
        let camera = try camera(isSlow: false)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let objects = try worker.list()
        for index in [Self.count - 1, 0, 1, 120, 119] {
            let (answer, _) = try worker.fetch(objects[index])
            guard case .fetched(_, let result) = answer else {
                Issue.record("\(index): \(answer)")
                continue
            }
            #expect(
                try result.sha256 == camera.truth(of: objects[index].name).sha256,
                "[loss] content of the photo")
        }
        let gone = objects[40]
        let id = try worker.send { .delete(id: $0, gone) }
        #expect(try worker.answer(to: id) == .done(id: id))
        #expect(try camera.state().deleted == 1)
        // A photo that is taken then is told of, and none is missing.
        camera.press()
        #expect(try worker.nextObject().name != gone.name)
        let last = try worker.send { .reconcile(id: $0) }
        #expect(try worker.answer(to: last) == .reconciled(id: last, missing: 0, total: Self.count + 2))
    }

    @Test func `a camera that goes away in the midst of it ends the listing and the session`() throws {
        let camera = try camera(isSlow: true)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let list = try worker.send { .list(id: $0) }
        _ = try portion(worker, list)
        try camera.say("link down")
        let failure = try worker.wait { event -> WorkerFailure? in
            if case .failed(list, let failure) = event { failure } else { nil }
        }
        #expect(failure.kind == .disconnected)
        _ = try worker.wait { if case .lost = $0 { true } else { nil } }
    }
}
