import Foundation
import FrameFastModel
import Glibc
import Makers
import Synchronization
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of operations, which consist of several requests timed by the worker's clock.
@Suite(.programs(2)) struct OperationTests {
    private struct Shutter: Decodable {
        var open: Bool
        var opened_ns: Int?
        var closed_ns: Int?
        /// The exposure time, in milliseconds.
        var elapsed: Int? { opened_ns.flatMap { opened in closed_ns.map { ($0 - opened) / 1_000_000 } } }
    }

    private func shutter(_ camera: SimulatedCamera) throws -> Shutter {
        try JSONDecoder().decode(Shutter.self, from: Data(camera.send("bulb-state").dropFirst(3).utf8))
    }

    /// The number of cameras started.
    private static let cameras = Atomic<UInt8>(0)

    private func opened(
        _ maker: String, _ arguments: [String] = ["--size", "50KB"], isBulb: Bool = true
    ) throws -> (SimulatedCamera, WorkerProcess) {
        // Each camera has its own address. While the link is down, no other connection can use the camera's
        // port.
        let number = Self.cameras.add(1, ordering: .relaxed).newValue
        let camera = try SimulatedCamera(maker: maker, host: "127.0.3.\(number)", arguments)
        let worker = try WorkerProcess()
        // On these makers' cameras, a bulb exposure requires the shutter dial at bulb.
        if isBulb, ["fuji", "sony"].contains(maker) { try camera.send("dial shutter=bulb") }
        _ = try worker.open(camera)
        _ = try worker.list()
        return (camera, worker)
    }

    private func waitForEnd(of worker: WorkerProcess) throws -> CameraOperationProgress {
        try worker.wait {
            if case .operation(let progress) = $0, progress.state != .running { progress } else { nil }
        }
    }

    /// The accepted exposure time for a bulb of 2 s, in milliseconds.
    private static let open2s = 1_999...2_020

    @Test(.nightly("measures how long a bulb is open"), arguments: makers)
    func `closes a bulb exposure on time with and without the daemon`(maker: String) throws {
        for isAlone in [false, true] {
            let (camera, worker) = try opened(maker)
            _ = try worker.request { .begin(id: $0, .bulb(BulbCommand(durationMs: 2_000))) }
            if isAlone {
                worker.hangUp()
                worker.waitForExit()
            } else {
                _ = try waitForEnd(of: worker)
            }
            let elapsed = try #require(shutter(camera).elapsed)
            #expect(Self.open2s.contains(elapsed))
        }
    }

    @Test(arguments: makers)
    func `keeps the shutter open for the requested time and restores the camera`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 2_000))) }
        let reply = try worker.reply(to: id)
        #expect(reply == .done(id: id))
        #expect(try shutter(camera).open)
        // The worker refuses other commands during the exposure.
        for command: (UInt64) -> WorkerCommand in [
            { .trigger(id: $0) }, { .begin(id: $0, .bracket(BracketCommand(stops: [0]))) },
            { .liveFrame(id: $0, LiveFrameCommand()) }, { .readSettings(id: $0, names: []) },
        ] {
            guard case .failed(_, let failure) = try worker.request(command) else {
                Issue.record("the worker performed a command during a bulb exposure")
                return
            }
            #expect(failure.kind == .occupied && failure.text == "bulb")
        }
        let end = try waitForEnd(of: worker)
        #expect(end.state == .ended && end.done == 1 && end.reason == nil)
        let elapsed = try #require(shutter(camera).elapsed)
        #expect(elapsed >= Self.open2s.lowerBound)
        try camera.expect(before)
    }

    private static let makers = ["canon", "nikon", "fuji", "sony"]
    private static let endings = ["end", "close", "SIGTERM", "SIGABRT"]
    private static let everyEnding: [(String, String)] = makers.flatMap { maker in
        endings.map { (maker, $0) }
    }
    private static let gateEndings: [(String, String)] =
        endings.map { ("canon", $0) } + makers.dropFirst().map { ($0, "end") }

    @Test(arguments: Tier.rows(everyEnding, gate: gateEndings))
    func `closes the shutter of a stopped exposure immediately`(maker: String, way: String) throws {
        let (camera, worker) = try opened(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        switch way {
        case "end": _ = try worker.request { .end(id: $0) }
        case "close": try worker.send { _ in .close }
        case "SIGTERM": kill(worker.pid, SIGTERM)
        default: kill(worker.pid, SIGABRT)
        }
        let end = try waitForEnd(of: worker)
        // The state is `stopped` if a person ended the operation, and `failed` if the operation ended early
        // for another reason.
        #expect(end.state == (way == "end" ? .stopped : .failed) && end.reason != nil)
        #expect(end.done == (way == "end" ? 1 : 0), "\(end)")
        #expect(try !shutter(camera).open)
    }

    @Test(arguments: Tier.rows(makers, gate: ["canon"]))
    func `completes an exposure on time without the daemon`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 2_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        worker.hangUp()
        worker.waitForExit()
        let elapsed = try #require(shutter(camera).elapsed)
        #expect(elapsed >= Self.open2s.lowerBound)
    }

    /// The operation code that reads the facts of a storage.
    private static let storageInfo = "1005"

    @Test(arguments: Tier.rows(makers, gate: ["canon", "sony"]))
    func `the next worker closes the shutter that a killed worker left open`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        kill(worker.pid, SIGKILL)
        worker.waitForExit()
        #expect(try shutter(camera).open)
        _ = try camera.operations()
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        let closed = try shutter(camera)
        #expect(!closed.open)
        // The worker closes the shutter before it reads the storages. A Sony in PC Remote has no storages.
        let readings = try camera.operations().filter { $0.code == Self.storageInfo }
        let closedNs = try #require(closed.closed_ns)
        #expect(readings.allSatisfy { $0.ns > closedNs } && readings.isEmpty == (maker == "sony"))
        try next.send { _ in .close }
        next.waitForExit()
        try camera.expect(before)
    }

    @Test func `the next worker retries to close the shutter of a busy camera`() throws {
        let (camera, worker) = try opened("nikon")
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        kill(worker.pid, SIGKILL)
        worker.waitForExit()
        try camera.send("fault busy*3 @op 0x920c")
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        #expect(try !shutter(camera).open)
    }

    @Test(arguments: Tier.rows(makers, gate: ["nikon"]))
    func `reports a lost camera with an open shutter and closes it later`(
        maker: String
    )
        throws
    {
        let (camera, worker) = try opened(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        try camera.send("link down")
        let end = try waitForEnd(of: worker)
        #expect(end.state == .failed && end.reason?.contains("press the shutter button") == true)
        _ = try worker.wait { if case .lost = $0 { true } else { nil } }
        try camera.send("link up")
        #expect(try shutter(camera).open)
        try worker.openAgain(camera)
        #expect(try !shutter(camera).open)
    }

    @Test func `refuses a bulb exposure in the wrong mode without changing settings`() throws {
        let (camera, worker) = try opened("canon")
        try camera.send("dial mode=A")
        guard
            case .failed(_, let failure) = try worker.request({
                .begin(id: $0, .bulb(BulbCommand(durationMs: 1_000)))
            })
        else {
            Issue.record("the exposure was started in the wrong mode")
            return
        }
        #expect(failure.kind == .refused && failure.text.contains("M or B"))
        #expect(try !shutter(camera).open)
    }

    @Test func `refuses a bulb exposure if the driver has no setting for the shutter speed`() throws {
        var profiles = try KnowledgeBase.bundled().profiles
        for index in profiles.indices { profiles[index].profile.settings?[.shutter] = nil }
        let camera = try SimulatedCamera(maker: "canon", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera, profiles: profiles)
        _ = try worker.list()
        guard
            case .failed(_, let failure) = try worker.request({
                .begin(id: $0, .bulb(BulbCommand(durationMs: 1_000)))
            })
        else {
            Issue.record("the exposure was started with an unknown shutter speed")
            return
        }
        #expect(failure.kind == .unsupported && failure.text.contains("shutter speed"))
        #expect(try !shutter(camera).open)
        #expect(try camera.state().shots == 0)
    }

    @Test func `closes the shutter after the camera refused to start and to end an exposure`() throws {
        let (camera, worker) = try opened("canon")
        let before = try camera.body()
        try camera.send("fault busy @op 0x9128")
        try camera.send("fault busy*3 @op 0x9129")
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let end = try waitForEnd(of: worker)
        #expect(end.state == .failed && end.done == 0 && end.reason?.contains("busy") == true, "\(end)")
        #expect(try camera.state().requests["canonRemoteReleaseOff"] ?? 0 >= 4)
        #expect(try !shutter(camera).open)
        try camera.expect(before)
        // The next exposure starts normally.
        let next = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 100))) }
        #expect(try worker.reply(to: next) == .done(id: next))
        let nextEnd = try waitForEnd(of: worker)
        #expect(nextEnd.state == .ended && nextEnd.done == 1, "\(nextEnd)")
    }

    /// Returns the reported ticks of an interval.
    private func ticks(_ worker: WorkerProcess) -> [IntervalTick] {
        worker.events.compactMap { if case .operation(let progress) = $0 { progress.tick } else { nil } }
    }

    /// Runs an interval of 12 ticks, 200 ms apart, whose first tick was due 300 ms ago.
    private func interval(
        _ maker: String
    ) throws -> (end: CameraOperationProgress, ticks: [IntervalTick], shots: Int) {
        let (camera, worker) = try opened(maker, isBulb: false)
        let epoch = BootClock.nowNs - 300_000_000
        let command = IntervalCommand(epochNs: epoch, periodMs: 200, count: 12)
        let id = try worker.send { .begin(id: $0, .interval(command)) }
        #expect(try worker.reply(to: id) == .done(id: id))
        return (try waitForEnd(of: worker), ticks(worker), try camera.state().shots)
    }

    /// Cameras with a shutter that a computer can release.
    private static let releasable = ["generic"] + makers

    @Test(arguments: Tier.rows(releasable, gate: 1))
    func `an interval takes a photo per tick and reports missed ticks`(maker: String) throws {
        let (end, ticks, shots) = try interval(maker)
        #expect(end.state == .ended && end.total == 12)
        #expect(ticks.map(\.number).sorted() == Array(0..<12))
        let missed = ticks.filter { $0.outcome == .missed }
        #expect(missed.contains { $0.number == 0 })
        #expect(end.done > 0)
        #expect(end.done == 12 - missed.count && shots == end.done)
    }

    @Test(.nightly("measures how late ticks are"), arguments: ["generic", "canon", "nikon"])
    func `performs the ticks of an interval on time`(maker: String) throws {
        let (end, ticks, shots) = try interval(maker)
        #expect(end.done == 11 && shots == 11)
        #expect(ticks.filter { $0.outcome == .missed }.map(\.number) == [0])
        // Tick 1 is late, because the request arrives half a period after the tick is due. The later ticks
        // must be on time.
        let late = ticks.filter { $0.outcome == .shot && $0.number > 1 && $0.latenessUs >= 10_000 }
        #expect(late.count <= 3, "\(late)")
    }

    /// Runs an interval of 20 ticks, 200 ms apart, on a camera with large photos, and fetches them.
    private func intervalWithPhotos(_ maker: String) throws -> [IntervalTick] {
        let (camera, worker) = try opened(maker, ["--size", "8MB"])
        let command = IntervalCommand(epochNs: BootClock.nowNs + 300_000_000, periodMs: 200, count: 20)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        var fetcher = PhotoFetcher(worker: worker, deletes: false)
        let end = try fetcher.fetchUntilOperationEnds()
        #expect(end.state == .ended && end.done > 0)
        #expect(fetcher.fetched.count == end.done, "[loss] photos from the camera")
        #expect(
            try Set(fetcher.fetched.map(\.result.sha256)) == camera.hashes(), "[loss] photos from the camera")
        return ticks(worker)
    }

    @Test func `fetches photos between the ticks of an interval`() throws {
        #expect(try intervalWithPhotos("generic").map(\.number).sorted() == Array(0..<20))
    }

    @Test(.nightly("measures how late ticks are"), arguments: ["generic", "canon", "nikon"])
    func `fetching photos does not delay the ticks of an interval`(maker: String) throws {
        let ticks = try intervalWithPhotos(maker)
        #expect(ticks.map(\.number) == Array(0..<20))
        #expect(ticks.allSatisfy { $0.outcome == .shot })
        let late = ticks.filter { $0.latenessUs >= 10_000 }
        #expect(late.count <= 5, "\(late)")
    }

    @Test func `stops an interval in progress`() throws {
        let (camera, worker) = try opened("generic")
        let command = IntervalCommand(epochNs: BootClock.nowNs, periodMs: 100, count: 1_000)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 3 { true } else { nil } }
        _ = try worker.request { .end(id: $0) }
        let end = try waitForEnd(of: worker)
        #expect(end.state == .stopped && end.done >= 3)
        #expect(try camera.state().shots == end.done)
    }

    /// The ways in which a connection ends during an interval.
    private static let breaks = ["close", "SIGTERM", "reopen", "link"]

    @Test(arguments: breaks)
    func `continues an interval in the next connection`(way: String) throws {
        let (camera, worker) = try opened("generic", isBulb: false)
        var command = IntervalCommand(epochNs: BootClock.nowNs, periodMs: 200, count: 1_000)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 3 { true } else { nil } }
        var next = worker
        switch way {
        case "close", "SIGTERM":
            if way == "close" { try worker.send { _ in .close } } else { kill(worker.pid, SIGTERM) }
            // Waits until the worker ends.
            while (try? worker.next()) != nil {}
            next = try WorkerProcess(home: worker.scratch)
            _ = try next.open(camera)
        case "reopen": try worker.openAgain(camera)
        default:
            try camera.send("link down")
            _ = try worker.wait { if case .lost = $0 { true } else { nil } }
            try camera.send("link up")
            try worker.openAgain(camera)
        }
        let reported = Self.progress(worker)
        #expect(reported.allSatisfy { $0.state == .running }, "\(reported)")
        let shot = reported.last?.done ?? 0
        #expect(shot >= 3)
        command.first = 500
        command.firstNs = BootClock.nowNs + 300_000_000
        command.shot = shot
        _ = try next.request { .begin(id: $0, .interval(command)) }
        let first = try next.wait { event -> CameraOperationProgress? in
            guard case .operation(let now) = event, let tick = now.tick else { return nil }
            return tick.number >= 500 && tick.outcome == .shot ? now : nil
        }
        #expect(first.done == shot + 1 && first.epochNs == command.epochNs)
    }

    /// Returns all progress reports of the worker.
    private static func progress(_ worker: WorkerProcess) -> [CameraOperationProgress] {
        worker.events.compactMap { if case .operation(let progress) = $0 { progress } else { nil } }
    }

    @Test(arguments: Tier.rows(releasable, gate: ["generic", "canon", "sony"]))
    func `takes each exposure of a bracket and restores the original exposure`(maker: String) throws {
        let (camera, worker) = try opened(maker, isBulb: false)
        let before = try camera.body()
        _ = try worker.request { .begin(id: $0, .bracket(BracketCommand(stops: [-1, 0, 1]))) }
        let end = try waitForEnd(of: worker)
        #expect(end.state == .ended && end.done == 3 && end.total == 3 && end.reason == nil, "\(end)")
        #expect(try camera.state().shots == 3)
        try camera.expect(before)
    }

    /// A Nikon sends no event for a value that the computer sets.
    @Test(arguments: Tier.rows(["nikon", "canon", "sony"], gate: 1))
    func `attributes the restored exposure of a bracket to the request`(maker: String) throws {
        let (camera, worker) = try opened(maker, isBulb: false)
        func published() throws -> (words: [CameraSettingKey?: String], source: SettingSource?) {
            try worker.wait {
                guard case .settingsChanged(let settings, let source) = $0 else { return nil }
                return (Dictionary(settings.map { ($0.key, $0.word) }) { $1 }, source)
            }
        }
        let before = try published().words
        _ = try worker.request { .begin(id: $0, .bracket(BracketCommand(stops: [-1, 0, 1]))) }
        #expect(try waitForEnd(of: worker).state == .ended)
        #expect(try camera.state().shots == 3)
        let after = try published()
        #expect(after.source == .request)
        for (key, word) in after.words { #expect(word == before[key], "\(String(describing: key))") }
    }

    @Test(arguments: Tier.rows(releasable, gate: 1))
    func `the next worker restores what a killed worker's bracket changed`(maker: String) throws {
        let (camera, worker) = try opened(maker, isBulb: false)
        let before = try camera.body()
        _ = try worker.request { .begin(id: $0, .bracket(BracketCommand(stops: [1, 1, 1, 1, 1, 1, 1, 1]))) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 2 { true } else { nil } }
        kill(worker.pid, SIGKILL)
        worker.waitForExit()
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        try next.send { _ in .close }
        next.waitForExit()
        try camera.expect(before)
    }
}
