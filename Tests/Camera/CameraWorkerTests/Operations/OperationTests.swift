import FrameFastModel
import Glibc
import Makers
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of intervals and brackets, which consist of several requests timed by the worker's clock. BulbTests
/// has bulb exposures.
@Suite(.programs(2)) struct OperationTests {
    /// Returns all progress reports of the worker.
    private func reports(_ worker: WorkerProcess) -> [CameraOperationProgress] {
        worker.events.compactMap { if case .operation(let progress) = $0 { progress } else { nil } }
    }

    /// Returns the reported ticks of an interval.
    private func ticks(_ worker: WorkerProcess) -> [IntervalTick] { reports(worker).compactMap(\.tick) }

    /// Runs an interval of 12 ticks, 200 ms apart, whose first tick was due 300 ms ago.
    private func interval(
        _ maker: String
    ) throws -> (end: CameraOperationProgress, ticks: [IntervalTick], shots: Int) {
        let (camera, worker) = try OperationSteps.open(maker, isBulb: false)
        let epoch = BootClock.nowNs - 300_000_000
        let command = IntervalCommand(epochNs: epoch, periodMs: 200, count: 12)
        let id = try worker.send { .begin(id: $0, .interval(command)) }
        #expect(try worker.reply(to: id) == .done(id: id))
        return (try OperationSteps.waitForEnd(of: worker), ticks(worker), try camera.state().shots)
    }

    /// Cameras with a shutter that a computer can release.
    private static let releasable = ["generic"] + OperationSteps.bulbMakers

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

    /// An α7 III accepts a release directly after the connection, and takes no photo (libgphoto2 issue 912).
    @Test(arguments: [(600_000, 0), (300, 1)] as [(UInt64, Int)])
    func `an interval takes no photo before a slow Sony has started`(pauseMs: UInt64, shots: Int) throws {
        let camera = try SimulatedCamera(maker: "sony", ["--size", "50KB", "--model", "ILCE-7M3"])
        let worker = try WorkerProcess()
        var profiles = try KnowledgeBase.bundled().profiles
        for index in profiles.indices { profiles[index].profile.slowStart?.pauseMs = pauseMs }
        _ = try worker.open(camera, profiles: profiles)
        let command = IntervalCommand(epochNs: BootClock.nowNs, periodMs: 86_400_000, count: 1)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        // The first tick is due before the worker receives this command.
        _ = try worker.request { .refresh(id: $0) }
        if shots == 0 { _ = try worker.request { .end(id: $0) } }
        let end = try reports(worker).last { $0.state != .running } ?? OperationSteps.waitForEnd(of: worker)
        #expect(end.state == (shots == 0 ? .stopped : .ended) && end.done == shots, "\(end)")
        #expect(try camera.state().shots == shots)
    }

    /// If the reported time were in the past, the service would list the card only after the interval.
    @Test func `reports the time of the next tick with each tick`() throws {
        let (camera, worker) = try OperationSteps.open("generic", isBulb: false)
        let command = IntervalCommand(epochNs: BootClock.nowNs, periodMs: 1_000, count: 2)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        _ = try OperationSteps.waitForEnd(of: worker)
        let taken = reports(worker).filter { $0.tick?.outcome == .shot }
        #expect(try !taken.isEmpty && camera.state().shots == taken.count)
        for report in taken {
            let next = try #require(report.tick).number + 1
            #expect(report.nextNs == (next < command.count ? command.due(next) : nil))
        }
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
        let (camera, worker) = try OperationSteps.open(maker, ["--size", "8MB"])
        let command = IntervalCommand(epochNs: BootClock.nowNs + 300_000_000, periodMs: 200, count: 20)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        var fetcher = PhotoFetcher(worker: worker, deletes: false)
        let end = try fetcher.fetchUntilOperationEnds()
        #expect(end.state == .ended && end.done > 0)
        #expect(fetcher.fetched.count == end.done, "[loss] wrong photos from the camera")
        #expect(
            try Set(fetcher.fetched.map(\.result.sha256)) == camera.hashes(),
            "[loss] wrong photos from the camera")
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
        let (camera, worker) = try OperationSteps.open("generic")
        let command = IntervalCommand(epochNs: BootClock.nowNs, periodMs: 100, count: 1_000)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 3 { true } else { nil } }
        _ = try worker.request { .end(id: $0) }
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .stopped && end.done >= 3)
        #expect(try camera.state().shots == end.done)
    }

    /// The causes for the end of a connection during an interval.
    private static let breaks = ["close", "SIGTERM", "reopen", "link"]

    @Test(arguments: breaks)
    func `continues an interval in the next connection`(ending: String) throws {
        let (camera, worker) = try OperationSteps.open("generic", isBulb: false)
        var command = IntervalCommand(epochNs: BootClock.nowNs, periodMs: 200, count: 1_000)
        _ = try worker.request { .begin(id: $0, .interval(command)) }
        _ = try worker.wait { if case .operation(let now) = $0, now.done == 3 { true } else { nil } }
        var next = worker
        switch ending {
        case "close", "SIGTERM":
            if ending == "close" { try worker.send { _ in .close } } else { kill(worker.pid, SIGTERM) }
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
        let reported = reports(worker)
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

    @Test(arguments: Tier.rows(releasable, gate: ["generic", "canon", "sony"]))
    func `takes each exposure of a bracket and restores the original exposure`(maker: String) throws {
        let (camera, worker) = try OperationSteps.open(maker, isBulb: false)
        let before = try camera.body()
        _ = try worker.request { .begin(id: $0, .bracket(BracketCommand(stops: [-1, 0, 1]))) }
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.done == 3 && end.total == 3 && end.reason == nil, "\(end)")
        #expect(try camera.state().shots == 3)
        try camera.expect(before)
    }

    /// A Nikon sends no event for a value that the computer sets.
    @Test(arguments: Tier.rows(["nikon", "canon", "sony"], gate: 1))
    func `attributes the restored exposure of a bracket to the request`(maker: String) throws {
        let (camera, worker) = try OperationSteps.open(maker, isBulb: false)
        func published() throws -> (words: [CameraSettingKey?: String], source: SettingSource?) {
            try worker.wait {
                guard case .settingsChanged(let settings, let source) = $0 else { return nil }
                return (Dictionary(settings.map { ($0.key, $0.word) }) { $1 }, source)
            }
        }
        let before = try published().words
        _ = try worker.request { .begin(id: $0, .bracket(BracketCommand(stops: [-1, 0, 1]))) }
        #expect(try OperationSteps.waitForEnd(of: worker).state == .ended)
        #expect(try camera.state().shots == 3)
        let after = try published()
        #expect(after.source == .request)
        for (key, word) in after.words { #expect(word == before[key], "\(String(describing: key))") }
    }

    @Test(arguments: Tier.rows(releasable, gate: 1))
    func `the next worker restores what a killed worker's bracket changed`(maker: String) throws {
        let (camera, worker) = try OperationSteps.open(maker, isBulb: false)
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
