import Foundation
import FrameFastModel
import Glibc
import Synchronization
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// What a camera does for longer than a moment, by the worker's own clock.
@Suite(.programs(2)) struct OperationTests {
    private struct Shutter: Decodable {
        var open: Bool
        var opened_ns: Int?
        var closed_ns: Int?
        /// How long it was open, in milliseconds.
        var elapsed: Int? { opened_ns.flatMap { opened in closed_ns.map { ($0 - opened) / 1_000_000 } } }
    }

    private func shutter(_ camera: SimulatedCamera) throws -> Shutter {
        try JSONDecoder().decode(Shutter.self, from: Data(camera.say("bulb-state").dropFirst(3).utf8))
    }

    /// Cameras that were started.
    private static let cameras = Atomic<UInt8>(0)

    private func opened(
        _ maker: String, _ arguments: [String] = ["--size", "50KB"], isBulb: Bool = true
    ) throws -> (SimulatedCamera, WorkerProcess) {
        // An address of its own: while its link is down, no other connection takes its port.
        let number = Self.cameras.add(1, ordering: .relaxed).newValue
        let camera = try SimulatedCamera(maker: maker, host: "127.0.3.\(number)", arguments)
        let worker = try WorkerProcess()
        // Its ring decides, where the driver does not.
        if isBulb, ["fuji", "sony"].contains(maker) { try camera.say("dial shutter=bulb") }
        _ = try worker.open(camera)
        _ = try worker.list()
        return (camera, worker)
    }

    private func end(_ worker: WorkerProcess) throws -> CameraOperationProgress {
        try worker.wait {
            if case .operation(let progress) = $0, progress.state != .running { progress } else { nil }
        }
    }

    /// The time for which a bulb of 2 s may be open, in milliseconds.
    private static let open2s = 1_999...2_020

    @Test(.nightly("measures how long a bulb is open"), arguments: makers)
    func `a bulb closes at its time, with and without the daemon`(maker: String) throws {
        for isAlone in [false, true] {
            let (camera, worker) = try opened(maker)
            _ = try worker.ask { .begin(id: $0, .bulb(BulbOrder(durationMs: 2_000))) }
            if isAlone {
                worker.hangUp()
                worker.ending()
            } else {
                _ = try end(worker)
            }
            let elapsed = try #require(shutter(camera).elapsed)
            #expect(Self.open2s.contains(elapsed))
        }
    }

    @Test(arguments: makers)
    func `the shutter is open for as long as was ordered, and the body is as it was`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        let id = try worker.send { .begin(id: $0, .bulb(BulbOrder(durationMs: 2_000))) }
        let answer = try worker.answer(to: id)
        #expect(answer == .done(id: id))
        #expect(try shutter(camera).open)
        // It takes nothing else meanwhile.
        for command: (UInt64) -> WorkerCommand in [
            { .trigger(id: $0) }, { .begin(id: $0, .bracket(BracketOrder(stops: [0]))) },
            { .liveFrame(id: $0, LiveFrameOrder()) }, { .readSettings(id: $0, names: []) },
        ] {
            guard case .failed(_, let failure) = try worker.ask(command) else {
                Issue.record("done beside a bulb")
                return
            }
            #expect(failure.kind == .occupied && failure.text == "bulb")
        }
        let end = try end(worker)
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
    func `an exposure that is ended is closed at once`(maker: String, way: String) throws {
        let (camera, worker) = try opened(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbOrder(durationMs: 600_000))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        switch way {
        case "end": _ = try worker.ask { .end(id: $0) }
        case "close": try worker.send { _ in .close }
        case "SIGTERM": kill(worker.pid, SIGTERM)
        default: kill(worker.pid, SIGABRT)
        }
        let end = try end(worker)
        // What a person ended was stopped; what ended otherwise before its time has failed.
        #expect(end.state == (way == "end" ? .stopped : .failed) && end.reason != nil)
        #expect(try !shutter(camera).open)
    }

    @Test(arguments: Tier.rows(makers, gate: ["canon"]))
    func `an exposure goes on without the daemon, and ends at its time`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbOrder(durationMs: 2_000))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        worker.hangUp()
        worker.ending()
        let elapsed = try #require(shutter(camera).elapsed)
        #expect(elapsed >= Self.open2s.lowerBound)
    }

    @Test(arguments: Tier.rows(makers, gate: ["canon", "sony"]))
    func `what a killed worker left open the next one closes first, and sets the body back`(maker: String)
        throws
    {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        let id = try worker.send { .begin(id: $0, .bulb(BulbOrder(durationMs: 600_000))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        kill(worker.pid, SIGKILL)
        worker.ending()
        #expect(try shutter(camera).open)
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        #expect(try !shutter(camera).open)
        try next.send { _ in .close }
        next.ending()
        try camera.expect(before)
    }

    @Test(arguments: Tier.rows(makers, gate: ["nikon"]))
    func `a cable that is pulled while the shutter is open is told with what to do, and it is closed after`(
        maker: String
    )
        throws
    {
        let (camera, worker) = try opened(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbOrder(durationMs: 600_000))) }
        #expect(try worker.answer(to: id) == .done(id: id))
        try camera.say("link down")
        let end = try end(worker)
        #expect(end.state == .failed && end.reason?.contains("press the shutter button") == true)
        _ = try worker.wait { if case .lost = $0 { true } else { nil } }
        try camera.say("link up")
        #expect(try shutter(camera).open)
        try worker.openAgain(camera)
        #expect(try !shutter(camera).open)
    }

    @Test func `a bulb in a mode without one is refused with what to do, and leaves nothing changed`() throws
    {
        let (camera, worker) = try opened("canon")
        try camera.say("dial mode=A")
        guard
            case .failed(_, let failure) = try worker.ask({
                .begin(id: $0, .bulb(BulbOrder(durationMs: 1_000)))
            })
        else {
            Issue.record("begun")
            return
        }
        #expect(failure.kind == .refused && failure.text.contains("M or B"))
        #expect(try !shutter(camera).open)
    }

    /// The ticks of an interval that were reported.
    private func ticks(_ worker: WorkerProcess) -> [IntervalTick] {
        worker.events.compactMap { if case .operation(let progress) = $0 { progress.tick } else { nil } }
    }

    /// Runs an interval of 12 ticks, 200 ms apart, whose first tick is 300 ms ago.
    private func interval(
        _ maker: String
    ) throws -> (end: CameraOperationProgress, ticks: [IntervalTick], shots: Int) {
        let (camera, worker) = try opened(maker, isBulb: false)
        let epoch = BootClock.nowNs - 300_000_000
        let order = IntervalOrder(epochNs: epoch, periodMs: 200, count: 12)
        let id = try worker.send { .begin(id: $0, .interval(order)) }
        #expect(try worker.answer(to: id) == .done(id: id))
        return (try end(worker), ticks(worker), try camera.state().shots)
    }

    /// Cameras with a shutter that a computer can release.
    private static let releasable = ["generic"] + makers

    @Test(arguments: Tier.rows(releasable, gate: 1))
    func `an interval takes a photo at each tick, and reports those that it missed`(maker: String) throws {
        let (end, ticks, shots) = try interval(maker)
        #expect(end.state == .ended && end.total == 12)
        #expect(ticks.map(\.number).sorted() == Array(0..<12))
        let missed = ticks.filter { $0.outcome == .missed }
        #expect(missed.contains { $0.number == 0 })
        #expect(end.done > 0)
        #expect(end.done == 12 - missed.count && shots == end.done)
    }

    @Test(.nightly("measures how late ticks are"), arguments: ["generic", "canon", "nikon"])
    func `an interval's ticks come at their times`(maker: String) throws {
        let (end, ticks, shots) = try interval(maker)
        #expect(end.done == 11 && shots == 11)
        #expect(ticks.filter { $0.outcome == .missed }.map(\.number) == [0])
        // Half of the second one was over when the order came. Lateness does not add up.
        let late = ticks.filter { $0.outcome == .shot && $0.number > 1 && $0.latenessUs >= 10_000 }
        #expect(late.count <= 3, "\(late)")
    }

    /// Runs an interval of 20 ticks, 200 ms apart, of a camera with large photos, and takes these.
    private func intervalWithPhotos(_ maker: String) throws -> [IntervalTick] {
        let (camera, worker) = try opened(maker, ["--size", "8MB"])
        let order = IntervalOrder(epochNs: BootClock.nowNs + 300_000_000, periodMs: 200, count: 20)
        _ = try worker.ask { .begin(id: $0, .interval(order)) }
        var taker = PhotoTaker(worker: worker, deletes: false)
        let end = try taker.takeOperation()
        #expect(end.state == .ended && end.done > 0)
        #expect(taker.taken.count == end.done, "[loss] photos from the camera")
        #expect(try Set(taker.taken.map(\.result.sha256)) == camera.hashes(), "[loss] photos from the camera")
        return ticks(worker)
    }

    @Test func `photos come in between the ticks of an interval`() throws {
        #expect(try intervalWithPhotos("generic").map(\.number).sorted() == Array(0..<20))
    }

    @Test(.nightly("measures how late ticks are"), arguments: ["generic", "canon", "nikon"])
    func `photos that come in make no tick of an interval late`(maker: String) throws {
        let ticks = try intervalWithPhotos(maker)
        #expect(ticks.map(\.number) == Array(0..<20))
        #expect(ticks.allSatisfy { $0.outcome == .shot })
        let late = ticks.filter { $0.latenessUs >= 10_000 }
        #expect(late.count <= 5, "\(late)")
    }

    @Test func `an interval is ended in the midst`() throws {
        let (camera, worker) = try opened("generic")
        let order = IntervalOrder(epochNs: BootClock.nowNs, periodMs: 100, count: 1_000)
        _ = try worker.ask { .begin(id: $0, .interval(order)) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 3 { true } else { nil } }
        _ = try worker.ask { .end(id: $0) }
        let end = try end(worker)
        #expect(end.state == .stopped && end.done >= 3)
        #expect(try camera.state().shots == end.done)
    }

    /// What ends a session while an interval runs.
    private static let breaks = ["close", "SIGTERM", "reopen", "link"]

    @Test(arguments: breaks)
    func `an interval whose session ends has not ended, and counts on in the next one`(way: String) throws {
        let (camera, worker) = try opened("generic", isBulb: false)
        var order = IntervalOrder(epochNs: BootClock.nowNs, periodMs: 200, count: 1_000)
        _ = try worker.ask { .begin(id: $0, .interval(order)) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 3 { true } else { nil } }
        var next = worker
        switch way {
        case "close", "SIGTERM":
            if way == "close" { try worker.send { _ in .close } } else { kill(worker.pid, SIGTERM) }
            // Until it ends.
            while (try? worker.next()) != nil {}
            next = try WorkerProcess(home: worker.scratch)
            _ = try next.open(camera)
        case "reopen": try worker.openAgain(camera)
        default:
            try camera.say("link down")
            _ = try worker.wait { if case .lost = $0 { true } else { nil } }
            try camera.say("link up")
            try worker.openAgain(camera)
        }
        let told = Self.progress(worker)
        #expect(told.allSatisfy { $0.state == .running }, "\(told)")
        let shot = told.last?.done ?? 0
        #expect(shot >= 3)
        order.first = 500
        order.firstNs = BootClock.nowNs + 300_000_000
        order.shot = shot
        _ = try next.ask { .begin(id: $0, .interval(order)) }
        let first = try next.wait { event -> CameraOperationProgress? in
            guard case .operation(let now) = event, let tick = now.tick else { return nil }
            return tick.number >= 500 && tick.outcome == .shot ? now : nil
        }
        #expect(first.done == shot + 1 && first.epochNs == order.epochNs)
    }

    /// Every progress that was reported.
    private static func progress(_ worker: WorkerProcess) -> [CameraOperationProgress] {
        worker.events.compactMap { if case .operation(let progress) = $0 { progress } else { nil } }
    }

    @Test(arguments: Tier.rows(releasable, gate: ["generic", "canon", "sony"]))
    func `a bracket takes each exposure and sets back the first`(maker: String) throws {
        let (camera, worker) = try opened(maker, isBulb: false)
        let before = try camera.body()
        _ = try worker.ask { .begin(id: $0, .bracket(BracketOrder(stops: [-1, 0, 1]))) }
        let end = try end(worker)
        #expect(end.state == .ended && end.done == 3 && end.total == 3 && end.reason == nil, "\(end)")
        #expect(try camera.state().shots == 3)
        try camera.expect(before)
    }

    /// A Nikon sends no event for a value that the computer sets.
    @Test(arguments: Tier.rows(["nikon", "canon", "sony"], gate: 1))
    func `after a bracket the first exposure is published again, as the effect of a request`(
        maker: String
    ) throws {
        let (camera, worker) = try opened(maker, isBulb: false)
        func published() throws -> (words: [CameraSettingKey?: String], source: SettingSource?) {
            try worker.wait {
                guard case .settingsChanged(let settings, let source) = $0 else { return nil }
                return (Dictionary(settings.map { ($0.key, $0.word) }) { $1 }, source)
            }
        }
        let before = try published().words
        _ = try worker.ask { .begin(id: $0, .bracket(BracketOrder(stops: [-1, 0, 1]))) }
        #expect(try end(worker).state == .ended)
        #expect(try camera.state().shots == 3)
        let after = try published()
        #expect(after.source == .request)
        for (key, word) in after.words { #expect(word == before[key], "\(String(describing: key))") }
    }

    @Test(arguments: Tier.rows(releasable, gate: 1))
    func `the next worker sets back what a killed one's bracket changed`(maker: String) throws {
        let (camera, worker) = try opened(maker, isBulb: false)
        let before = try camera.body()
        _ = try worker.ask { .begin(id: $0, .bracket(BracketOrder(stops: [1, 1, 1, 1, 1, 1, 1, 1]))) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 2 { true } else { nil } }
        kill(worker.pid, SIGKILL)
        worker.ending()
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        try next.send { _ in .close }
        next.ending()
        try camera.expect(before)
    }
}
