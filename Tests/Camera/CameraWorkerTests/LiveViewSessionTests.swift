import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Live view with a camera: frames, photos between them, and how the camera is after it, whatever ended it.
@Suite(.programs(2)) struct LiveViewSessionTests {
    private func frame(_ worker: WorkerProcess) throws -> LiveFrame {
        switch try worker.ask({ .liveFrame(id: $0, LiveFrameOrder()) }) {
        case .frame(_, let frame): return frame
        case let other: throw CameraTrouble(words: "\(other)")
        }
    }

    @Test(arguments: Tier.rows(["canon", "nikon", "fuji"], gate: ["canon", "nikon"]))
    func `frames have the size that was asked for, and the camera has its own again`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let before = try camera.body()
        var bytes: [String: Int] = [:]
        for size in ["small", "large"] {
            var frames: [Int] = []
            for _ in 0..<3 {
                guard
                    case .frame(_, let frame) = try worker.ask({
                        .liveFrame(id: $0, LiveFrameOrder(size: size))
                    })
                else { throw CameraTrouble(words: "no frame") }
                frames.append(frame.jpeg.count)
            }
            bytes[size] = frames.last
            _ = try worker.ask { .end(id: $0) }
            try pollUntil { try camera.body() == before }
            try camera.expect(before)
        }
        #expect(try #require(bytes["large"]) > 3 * #require(bytes["small"]))
    }

    @Test func `frames are whole pictures that differ, and none is made that nobody asked for`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        var seen: Set<Data> = []
        for _ in 0..<10 {
            let frame = try frame(worker)
            #expect(frame.isWhole)
            seen.insert(frame.jpeg)
        }
        #expect(seen.count == 10)
        let served = try camera.say("frames")
        #expect(served.contains("\"served\":10"), "\(served)")
    }

    @Test func `a photo that is announced goes before frames that were ordered before it was asked for`()
        throws
    {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "2MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try frame(worker)
        camera.press()
        let object = try worker.wait { if case .objectAdded(let object) = $0 { object } else { nil } }
        let frameOrder = try worker.send { .liveFrame(id: $0, LiveFrameOrder()) }
        let fetch = try worker.send {
            .fetch(
                id: $0,
                FetchRequest(
                    folder: object.folder, name: object.name, announcedSize: object.size,
                    partPath: worker.scratch.file("a.part"), isShot: true))
        }
        var order: [UInt64] = []
        while order.count < 2 {
            switch try worker.next() {
            case .fetched(let id, _) where id == fetch: order.append(id)
            case .frame(let id, _) where id == frameOrder: order.append(id)
            case .failed(_, let failure): throw CameraTrouble(words: failure.text)
            default: break
            }
        }
        #expect(order == [fetch, frameOrder])
    }

    enum Ending: String, CaseIterable {
        case nobodyAsks, close, term, hangUp, kill
    }

    private static let everyEnding: [(String, Ending)] = ["canon", "nikon", "fuji", "sony"].flatMap { maker in
        Ending.allCases.map { (maker, $0) }
    }
    /// Each ending once, and each maker with an end in order and, where it sets something back, a kill.
    private static let gateEndings: [(String, Ending)] = [
        ("canon", .nobodyAsks), ("canon", .kill), ("nikon", .hangUp), ("nikon", .kill), ("fuji", .term),
        ("canon", .close),
    ]

    @Test(arguments: Tier.rows(everyEnding, gate: gateEndings))
    func `the camera is as before, however live view ended`(maker: String, ending: Ending) throws {
        let camera = try SimulatedCamera(maker: maker)
        if maker == "canon" { try camera.say("dial d1b0=1") }
        let before = try camera.body()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        for _ in 0..<3 { _ = try frame(worker) }
        // The others change nothing for it, and a Sony's is always on.
        if ["canon", "nikon"].contains(maker) { #expect(try camera.body() != before) }
        #expect(try camera.isLive() == (maker != "sony"))
        switch ending {
        case .nobodyAsks:
            let start = monotonicMs()
            try pollUntil { try camera.body() == before }
            try camera.expect(before)
            try pollUntil { try !camera.isLive() }
            // A measurement.
            if Tier.isNight { #expect(monotonicMs() - start < LiveViewLimits.restMs + 5_000) }
        case .close: break
        case .term: kill(worker.pid, SIGTERM)
        case .hangUp: worker.hangUp()
        case .kill: kill(worker.pid, SIGKILL)
        }
        if [.nobodyAsks, .close].contains(ending) { try worker.send { _ in .close } }
        worker.ending()
        if ending != .kill { try camera.expect(before) }
        // What a killed worker left the next one sets back.
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        if maker == "nikon" { try expectShotOnCard(camera, next) }
        try next.send { _ in .close }
        next.ending()
        try camera.expect(before)
        #expect(try !camera.isLive())
    }

    /// The photographer's shutter works, and its photo goes on the card.
    private func expectShotOnCard(_ camera: SimulatedCamera, _ worker: WorkerProcess) throws {
        #expect(try camera.state().target == "card" && !camera.state().body_locked)
        #expect(try camera.say("shoot").hasPrefix("ok"))
        #expect(try worker.nextObject().folder.hasPrefix("/store_"))
    }

    @Test func `a Nikon's photos go on its card after live view, and its shutter is the photographer's`()
        throws
    {
        let camera = try SimulatedCamera(maker: "nikon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        for _ in 0..<(Tier.isNight ? 200 : 3) { _ = try frame(worker) }
        #expect(try camera.state().target == "host" && camera.state().body_locked)
        _ = try worker.ask { .end(id: $0) }
        try pollUntil { try !camera.state().body_locked }
        try expectShotOnCard(camera, worker)
    }

    @Test func `a Fujifilm is released beside live view, which goes on after it`() throws {
        let camera = try SimulatedCamera(maker: "fuji", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        for _ in 0..<3 { _ = try frame(worker) }
        let id = try worker.send { .trigger(id: $0) }
        #expect(try worker.answer(to: id) == .done(id: id))
        #expect(try camera.state().shots == 1)
        let photo = try worker.nextObject()
        // The picture of live view lies among the photos, and is none.
        #expect(photo.name.hasPrefix("DSCF"))
        #expect(try frame(worker).isWhole)
        let others = worker.events.filter {
            if case .objectAdded(let object) = $0 { object != photo } else { false }
        }
        #expect(others.isEmpty)
    }

    @Test(arguments: Tier.rows(["cut", "missing"], gate: 1))
    func `what is no picture is said to be none, and the next one is shown`(fault: String) throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try frame(worker)
        try camera.say("bad-frame \(fault)")
        guard case .failed(_, let failure) = try worker.ask({ .liveFrame(id: $0, LiveFrameOrder()) }) else {
            Issue.record("a spoiled frame was shown")
            return
        }
        #expect(failure.kind == .refused || failure.kind == .corrupt, "\(failure)")
        #expect(try frame(worker).isWhole)
    }

    @Test func `a camera without live view is not asked for frames`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        guard case .failed(_, let failure) = try worker.ask({ .liveFrame(id: $0, LiveFrameOrder()) }) else {
            Issue.record("frames from nowhere")
            return
        }
        #expect(failure.kind == .unsupported)
    }
}
