import Foundation
import FrameFastModel
import Glibc
import Makers
import TestRig
import Testing
import WorkerProtocol

@testable import CameraWorker

/// Tests of bulb exposures, in particular of their end: on time, by a stop command, and after a failure.
@Suite(.programs(2)) struct BulbTests {
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

    /// The accepted exposure time for a bulb of 2 s, in milliseconds.
    private static let open2s = 1_999...2_020

    @Test(.nightly("measures how long a bulb is open"), arguments: OperationSteps.bulbMakers)
    func `closes a bulb exposure on time with and without the daemon`(maker: String) throws {
        for isAlone in [false, true] {
            let (camera, worker) = try OperationSteps.open(maker)
            _ = try worker.request { .begin(id: $0, .bulb(BulbCommand(durationMs: 2_000))) }
            if isAlone {
                worker.hangUp()
                worker.waitForExit()
            } else {
                _ = try OperationSteps.waitForEnd(of: worker)
            }
            let elapsed = try #require(shutter(camera).elapsed)
            #expect(Self.open2s.contains(elapsed))
        }
    }

    @Test(arguments: OperationSteps.bulbMakers)
    func `keeps the shutter open for the requested time and restores the camera`(maker: String) throws {
        let (camera, worker) = try OperationSteps.open(maker)
        let before = try camera.body()
        // The exposure lasts longer than the refused commands, even on a busy system.
        let durationMs = 4_000
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: durationMs))) }
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
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.done == 1 && end.reason == nil)
        let elapsed = try #require(shutter(camera).elapsed)
        #expect(elapsed >= durationMs - 1)
        try camera.expect(before)
    }

    private static let endings = ["end", "close", "SIGTERM", "SIGABRT"]
    private static let everyEnding: [(String, String)] = OperationSteps.bulbMakers.flatMap { maker in
        endings.map { (maker, $0) }
    }
    private static let gateEndings: [(String, String)] =
        endings.map { ("canon", $0) } + OperationSteps.bulbMakers.dropFirst().map { ($0, "end") }

    @Test(arguments: Tier.rows(everyEnding, gate: gateEndings))
    func `closes the shutter of a stopped exposure immediately`(maker: String, ending: String) throws {
        let (camera, worker) = try OperationSteps.open(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        switch ending {
        case "end": _ = try worker.request { .end(id: $0) }
        case "close": try worker.send { _ in .close }
        case "SIGTERM": kill(worker.pid, SIGTERM)
        default: kill(worker.pid, SIGABRT)
        }
        let end = try OperationSteps.waitForEnd(of: worker)
        // The state is `stopped` if a person ended the operation, and `failed` if the operation ended early
        // for another reason.
        #expect(end.state == (ending == "end" ? .stopped : .failed) && end.reason != nil)
        #expect(end.done == (ending == "end" ? 1 : 0), "\(end)")
        #expect(try !shutter(camera).open)
    }

    @Test(arguments: Tier.rows(OperationSteps.bulbMakers, gate: ["canon"]))
    func `keeps the shutter open for the requested time without the daemon`(maker: String) throws {
        let (camera, worker) = try OperationSteps.open(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 2_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        worker.hangUp()
        worker.waitForExit()
        let elapsed = try #require(shutter(camera).elapsed)
        #expect(elapsed >= Self.open2s.lowerBound)
    }

    /// The operation code that reads the facts of a storage.
    private static let storageInfo = "1005"

    @Test(arguments: Tier.rows(OperationSteps.bulbMakers, gate: ["canon", "sony"]))
    func `the next worker closes the shutter that a killed worker left open`(maker: String) throws {
        let (camera, worker) = try OperationSteps.open(maker)
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
        let (camera, worker) = try OperationSteps.open("nikon")
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        kill(worker.pid, SIGKILL)
        worker.waitForExit()
        try camera.send("fault busy*3 @op 0x920c")
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        #expect(try !shutter(camera).open)
    }

    @Test(arguments: Tier.rows(OperationSteps.bulbMakers, gate: ["nikon"]))
    func `reports the open shutter of a lost camera and closes it later`(
        maker: String
    )
        throws
    {
        let (camera, worker) = try OperationSteps.open(maker)
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        try camera.send("link down")
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .failed && end.reason?.contains("press the shutter button") == true)
        // The daemon must receive this fact before the connection ends.
        _ = try worker.wait { if case .facts(let facts) = $0, facts.isShutterOpen { true } else { nil } }
        _ = try worker.wait { if case .lost = $0 { true } else { nil } }
        try camera.send("link up")
        #expect(try shutter(camera).open)
        try worker.openAgain(camera)
        #expect(try !shutter(camera).open)
        let opened = worker.events.last { if case .opened = $0 { true } else { false } }
        guard case .opened(_, let facts)? = opened else {
            Issue.record("the worker did not open the camera")
            return
        }
        #expect(!facts.isShutterOpen)
    }

    /// The operations that read a card, and polls for events (90C7, 941C), after which the driver reads it.
    private static let cardOperations: Set<String> = [
        "1005", "1007", "1008", "1009", "101b", "9431", "90c7", "941c",
    ]

    @Test func `reads nothing from a Nikon's card during a bulb exposure`() throws {
        let (camera, worker) = try OperationSteps.open("nikon")
        try camera.send("shoot")
        let photo = try worker.nextObject()
        let bulb = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 3_000))) }
        #expect(try worker.reply(to: bulb) == .done(id: bulb))
        _ = try camera.operations()
        let fetch = try worker.sendFetch(photo).id
        let refresh = try worker.send { .refresh(id: $0) }
        #expect(try OperationSteps.waitForEnd(of: worker).state == .ended)
        guard case .fetched = try worker.reply(to: fetch) else {
            Issue.record("the worker did not fetch the photo after the exposure")
            return
        }
        #expect(try worker.reply(to: refresh) == .done(id: refresh))
        let closedNs = try #require(shutter(camera).closed_ns)
        let readings = try camera.operations().filter { Self.cardOperations.contains($0.code) }
        #expect(!readings.isEmpty && readings.allSatisfy { $0.ns > closedNs }, "\(readings)")
    }

    /// Waits until a worker has reported a shutter speed.
    private func waitForShutter(_ value: String, of worker: WorkerProcess) throws {
        _ = try worker.wait { event -> CameraSetting? in
            guard case .settingsChanged(let settings, _) = event else { return nil }
            return settings.first { $0.key == .shutter && $0.value?.text == value }
        }
    }

    /// The driver would open the shutter, and wait 1,000 s for the end of the exposure.
    @Test func `refuses to release the shutter of a Nikon at bulb`() throws {
        let (camera, worker) = try OperationSteps.open("nikon")
        try camera.send("dial mode=M")
        try camera.send("dial shutter=bulb")
        try waitForShutter("bulb", of: worker)
        guard case .failed(_, let failure) = try worker.request({ .trigger(id: $0) }) else {
            Issue.record("the worker released the shutter")
            return
        }
        #expect(failure.kind == .refused && failure.text.contains("framefast bulb"), "\(failure)")
        #expect(try !shutter(camera).open)
        try camera.send("dial shutter=1/125")
        try waitForShutter("1/125", of: worker)
        let id = try worker.send { .trigger(id: $0) }
        #expect(try worker.reply(to: id) == .done(id: id))
    }

    /// The driver waits 5 s for a busy Nikon, with 51 requests, and then reports an error.
    @Test func `noise reduction of a Nikon does not count as an open shutter`() throws {
        let (camera, worker) = try OperationSteps.open("nikon")
        let before = try camera.body()
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 2_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        try camera.send("fault busy*60 @op 0x90c8")
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .ended && end.done == 1 && end.reason == nil, "\(end)")
        #expect(try camera.state().requests["nikonEndCapture"] == 1)
        try camera.expect(before)
    }

    @Test func `refuses a bulb exposure in the wrong mode and keeps the shutter closed`() throws {
        let (camera, worker) = try OperationSteps.open("canon")
        try camera.send("dial mode=A")
        let before = try camera.body()
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
        try camera.expect(before)
    }

    /// The worker disables a Fujifilm's dials before the refused step. The driver does the same for a Nikon.
    @Test(arguments: [("fuji", "refuse 500d 2002"), ("nikon", "fault busy @op 0x9207")])
    func `returns control to the body after a refused start of a bulb exposure`(
        maker: String, fault: String
    ) throws {
        let (camera, worker) = try OperationSteps.open(maker, isBulb: false)
        let before = try camera.body()
        try camera.send(fault)
        guard
            case .failed = try worker.request({ .begin(id: $0, .bulb(BulbCommand(durationMs: 1_000))) })
        else {
            Issue.record("the exposure was started")
            return
        }
        #expect(try !shutter(camera).open)
        try camera.expect(before)
    }

    @Test func `refuses a bulb exposure without a driver setting for the shutter speed`() throws {
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

    @Test func `closes the shutter after a refused start and a refused end`() throws {
        let (camera, worker) = try OperationSteps.open("canon")
        let before = try camera.body()
        try camera.send("fault busy @op 0x9128")
        try camera.send("fault busy*3 @op 0x9129")
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 600_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        let end = try OperationSteps.waitForEnd(of: worker)
        #expect(end.state == .failed && end.done == 0 && end.reason?.contains("busy") == true, "\(end)")
        #expect(try camera.state().requests["canonRemoteReleaseOff"] ?? 0 >= 4)
        #expect(try !shutter(camera).open)
        try camera.expect(before)
        // The next exposure starts normally.
        let next = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 100))) }
        #expect(try worker.reply(to: next) == .done(id: next))
        let nextEnd = try OperationSteps.waitForEnd(of: worker)
        #expect(nextEnd.state == .ended && nextEnd.done == 1, "\(nextEnd)")
    }
}
