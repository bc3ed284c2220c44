import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of when the worker delays the reading of photos, because the camera can't release its shutter during
/// a read.
@Suite struct ShutterRestTests {
    private static let rest = ShutterRest.rest
    private static let waitMax = ShutterRest.waitMax

    @Test func `photos wait until shooting stops if the model is known to refuse releases`() {
        var rest = ShutterRest(.auto, isKnown: true)
        #expect(rest.delay(at: .milliseconds(0)) == .zero)
        rest.recordShot(at: .milliseconds(1_000))
        #expect(rest.delay(at: .milliseconds(1_000)) == Self.rest)
        rest.recordShot(at: .milliseconds(1_700))
        #expect(rest.delay(at: .milliseconds(1_700)) == Self.rest)
        #expect(rest.delay(at: .milliseconds(1_700) + Self.rest) == .zero)
    }

    @Test func `a burst delays photos for at most ten seconds`() {
        var rest = ShutterRest(.always, isKnown: false)
        var waited: [Instant] = []
        for ms in stride(from: 1_000, to: 31_000, by: 500) {
            let now = Instant.milliseconds(ms)
            rest.recordShot(at: now)
            if rest.delay(at: now) > .zero { waited.append(now) }
        }
        #expect(waited.last == Instant.milliseconds(500) + Self.waitMax)
        // The limit applies again after a pause.
        rest.recordShot(at: .milliseconds(40_000))
        #expect(rest.delay(at: .milliseconds(40_000)) == Self.rest)
    }

    @Test func `polls for new photos before it reads after a burst`() {
        var rest = ShutterRest(.auto, isKnown: true)
        #expect(!rest.mustPoll(at: .milliseconds(500)))
        rest.recordShot(at: .milliseconds(1_000))
        rest.recordPoll(at: .milliseconds(1_100))
        let end = Instant.milliseconds(1_000) + Self.rest
        let later = end + .milliseconds(900)
        #expect(!rest.mustPoll(at: .milliseconds(999) + Self.rest))
        #expect(rest.mustPoll(at: later))
        rest.recordPoll(at: later)
        #expect(!rest.mustPoll(at: later + .milliseconds(1)))
        // A camera that is not known to refuse releases requires no additional poll.
        var other = ShutterRest(.auto, isKnown: false)
        other.recordShot(at: .milliseconds(1_000))
        #expect(!other.mustPoll(at: .milliseconds(9_000)))
    }

    @Test(arguments: [ShutterWait.auto, .never, .always])
    func `photos wait after a release was refused during a transfer, except with never`(wait: ShutterWait) {
        var rest = ShutterRest(wait, isKnown: false)
        #expect(rest.isActive == (wait == .always))
        // The worker was not reading a photo, so the camera was busy for another reason.
        let unread = rest.recordRefusal(began: .milliseconds(1_000), at: .milliseconds(1_400))
        rest.recordRead(at: .milliseconds(1_000))
        let end = Instant.milliseconds(1_000) + ShutterRest.reading
        let later = rest.recordRefusal(began: end, at: .milliseconds(2_000))
        let during = rest.recordRefusal(began: .milliseconds(1_100), at: .milliseconds(3_000))
        #expect((unread, later, during) == (false, false, wait != .never))
        #expect(rest.isActive == (wait != .never))
    }

    @Test(arguments: ShutterWait.allCases)
    func `photos in the camera's memory never wait for the shutter`(wait: ShutterWait) {
        var rest = ShutterRest(wait, isKnown: true, keepsOnCard: false)
        rest.recordShot(at: .milliseconds(1_000))
        rest.recordRead(at: .milliseconds(1_000))
        let isReading = rest.recordRefusal(began: .milliseconds(1_100), at: .milliseconds(1_500))
        #expect(!isReading && !rest.isActive && rest.delay(at: .milliseconds(1_500)) == .zero)
    }

    @Test func `limits the retries of each refused release separately`() {
        var queue = ReleaseQueue()
        var tries: [UInt64: Int] = [:]
        var now = Instant.start
        var open: Set<UInt64> = [1, 2]
        while !open.isEmpty, now < .milliseconds(60_000) {
            for id in open.sorted() {
                if queue.retry(id, at: now) { tries[id, default: 0] += 1 } else { open.remove(id) }
            }
            now = now + .milliseconds(1_000)
            _ = queue.removeDue(at: now)
        }
        #expect(tries[1] == 8 && tries[2] == 8)
        queue.complete(1)
        #expect(!queue.isRetry(1) && queue.isRetry(2))
    }

    @Test func `polls the buffer once a second during a burst and once afterwards`() {
        var poll = BufferPoll()
        var lastShot: Instant?
        var asked: [Int] = []
        for ms in stride(from: 1_000, to: 12_000, by: 100) {
            let now = Instant.milliseconds(ms)
            if ms < 4_000 { lastShot = now }
            guard let due = poll.due(lastShot: lastShot), due <= now else { continue }
            asked.append(ms)
            poll.recordRead(at: now)
        }
        #expect(asked == [1_000, 2_000, 3_000, 4_000, 6_900])
    }

    // MARK: A camera that refuses releases for a second after a transfer

    private static let held = ["--shutter-held", "1000", "--size", "2MB"]

    /// Takes five photos on the camera and fetches the photos that the worker announces. The camera takes all
    /// five photos within ``ShutterRest/rest`` after the first photo.
    ///
    /// - Returns: The number of shots that were taken and the number of photos that were fetched.
    private func burst(_ camera: SimulatedCamera, _ worker: WorkerProcess) throws -> (taken: Int, read: Int) {
        let reply = try camera.sendWithoutWaiting("burst 5 250")
        defer { close(reply) }
        var (announced, read) = (0, 0)
        func handleNext() throws {
            switch try worker.next() {
            case .objectAdded(let object):
                announced += 1
                _ = try worker.sendFetch(object, isShot: true)
            case .fetched: read += 1
            default: break
            }
        }
        while true {
            var entry = pollfd(fd: reply, events: Int16(POLLIN), revents: 0)
            if read == announced, poll(&entry, 1, 0) > 0 { break }
            try handleNext()
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Glibc.read(reply, &bytes, bytes.count)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let taken = words.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? -1
        // The simulator responds before the worker has announced the last shot.
        while read < taken { try handleNext() }
        return (taken, read)
    }

    @Test(
        .programs(2),
        arguments: Tier.rows([("D780", ShutterWait.auto), ("Z 6_2", .always)], gate: [("D780", .auto)]))
    func `loses no shot of a burst if photos wait`(model: String, wait: ShutterWait) throws {
        let camera = try SimulatedCamera(maker: "nikon", ["--model", model] + Self.held)
        let worker = try WorkerProcess()
        _ = try worker.open(camera, shutterWait: wait)
        _ = try worker.list()
        let (taken, read) = try burst(camera, worker)
        #expect(taken == 5)
        #expect(read == taken, "[loss] wrong photos from the camera")
    }

    @Test(
        .programs(2),
        arguments: Tier.rows([("D780", ShutterWait.never), ("Z 6_2", .auto)], gate: [("D780", .never)]))
    func `loses a shot after a fetched photo if photos do not wait`(model: String, wait: ShutterWait) throws {
        let camera = try SimulatedCamera(
            maker: "nikon", ["--model", model, "--shutter-held", "600000", "--size", "2MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera, shutterWait: wait)
        _ = try worker.list()
        camera.press()
        _ = try worker.fetch(try worker.nextObject())
        #expect(try !camera.send("shoot").hasPrefix("ok"))
        #expect(try camera.state().shots == 1)
    }

    @Test(.programs(2)) func `retries a release that was refused during a transfer`() throws {
        _ = try refusedRelease()
    }

    @Test(.programs(2), .nightly("in the gate, other tests of this suite cover the rule and the wait"))
    func `photos wait for a burst after a refused release`() throws {
        let (camera, worker) = try refusedRelease()
        #expect(try burst(camera, worker).taken == 5)
    }

    /// Requests a release during a transfer. The camera refuses the first attempts. Returns when the camera
    /// accepts releases again.
    private func refusedRelease() throws -> (SimulatedCamera, WorkerProcess) {
        let camera = try SimulatedCamera(maker: "nikon", ["--rate", "2MB"] + Self.held)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        camera.press()
        let fetch = try worker.sendFetch(try worker.nextObject(), isShot: true)
        _ = try worker.wait { if case .progress = $0 { true } else { nil } }
        #expect(try worker.request { .trigger(id: $0) } == .done(id: fetch.id + 1))
        #expect(try camera.state().shots == 2)
        #expect(try camera.state().refused > 0)
        let second = try worker.nextObject()
        _ = try worker.reply(to: fetch.id)
        // Waits until the camera accepts releases again.
        _ = try worker.sendFetch(second, isShot: true)
        _ = try worker.wait { if case .fetched = $0 { true } else { nil } }
        var isReady = false
        try pollUntil {
            isReady = try camera.send("shoot").hasPrefix("ok")
            return isReady
        }
        #expect(isReady)
        return (camera, worker)
    }

    // MARK: Free buffer

    @Test(.programs(2), arguments: ["nikon", "fuji"])
    func `reports the free buffer during and after a burst`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker, ["--buffer", "25", "--size", "50KB"])
        let worker = try WorkerProcess()
        #expect(try worker.open(camera).burstShotsLeft == 25)
        _ = try worker.list()
        try camera.send("shoot 4")
        let objects = try (0..<4).map { _ in try worker.nextObject() }
        try worker.waitForFreeBuffer(21)
        if maker == "fuji" {
            // On a Fujifilm, photos remain in the buffer until they are saved and deleted.
            for object in objects {
                _ = try worker.fetch(object)
                _ = try worker.request { .delete(id: $0, object) }
            }
            _ = try worker.request { .refresh(id: $0) }
        }
        try worker.waitForFreeBuffer(25)
    }
}

extension WorkerProcess {
    /// Waits until the last reported free buffer equals a number of shots.
    fileprivate func waitForFreeBuffer(_ shots: Int) throws {
        var reported: Int? {
            events.reversed().lazy.compactMap {
                if case .facts(let facts) = $0 { facts.burstShotsLeft } else { nil }
            }.first
        }
        while reported != shots { _ = try next() }
    }
}
