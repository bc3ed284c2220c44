import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import WorkerProtocol

/// Tests of live view with a camera: frames, photos between frames, and the restored settings after each way
/// to end live view.
@Suite(.programs(2)) struct LiveViewSessionTests {
    private func frame(_ worker: WorkerProcess) throws -> LiveFrame {
        switch try worker.request({ .liveFrame(id: $0, LiveFrameCommand()) }) {
        case .frame(_, let frame): return frame
        case let other: throw CameraTestError(words: "\(other)")
        }
    }

    @Test(arguments: Tier.rows(["canon", "nikon", "fuji"], gate: ["canon", "nikon"]))
    func `sends frames of the requested size and restores the camera's frame size`(maker: String) throws {
        let camera = try SimulatedCamera(maker: maker)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        let before = try camera.body()
        var bytes: [String: Int] = [:]
        for size in ["small", "large"] {
            var frames: [Int] = []
            for _ in 0..<3 {
                guard
                    case .frame(_, let frame) = try worker.request({
                        .liveFrame(id: $0, LiveFrameCommand(size: size))
                    })
                else { throw CameraTestError(words: "the worker sent no frame") }
                frames.append(frame.jpeg.count)
            }
            bytes[size] = frames.last
            _ = try worker.request { .end(id: $0) }
            try pollUntil { try camera.body() == before }
            try camera.expect(before)
        }
        #expect(try #require(bytes["large"]) > 3 * #require(bytes["small"]))
    }

    /// A Z 6II identifies itself as an MTP device. A D3500 omits the operations of its extension.
    @Test(arguments: ["Z 6_2", "D3500"])
    func `sends frames of a Nikon whose DeviceInfo does not show its live view`(model: String) throws {
        let camera = try SimulatedCamera(maker: "nikon", ["--model", model])
        let before = try camera.body()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try frame(worker).isComplete)
        _ = try worker.request { .end(id: $0) }
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    @Test func `sends complete and distinct frames only on request`() throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        var seen: Set<Data> = []
        for _ in 0..<10 {
            let frame = try frame(worker)
            #expect(frame.isComplete)
            seen.insert(frame.jpeg)
        }
        #expect(seen.count == 10)
        let served = try camera.send("frames")
        #expect(served.contains("\"served\":10"), "\(served)")
    }

    /// The operation that reads a frame of an EOS, and the operations that read a photo.
    private static let (frameRead, photoReads) = ("9153", ["1009", "101b", "9104", "9107"])

    /// The test reads the order from the camera's log, because the reply to the fetch may arrive last.
    @Test func `fetches an announced photo before frames requested earlier`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "2MB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try frame(worker)
        camera.press()
        let object = try worker.wait { if case .objectAdded(let object) = $0 { object } else { nil } }
        // The first frame occupies the driver until the other two commands have arrived.
        try camera.send("fault stall:1000@op 0x9153")
        let request = FetchRequest(
            folder: object.folder, name: object.name, announcedSize: object.size,
            partPath: worker.scratch.file("a.part"), isShot: true)
        let commands = try worker.sendTogether([
            { .liveFrame(id: $0, LiveFrameCommand()) }, { .liveFrame(id: $0, LiveFrameCommand()) },
            { .fetch(id: $0, request) },
        ])
        for command in commands {
            if case .failed(_, let failure) = try worker.reply(to: command) {
                throw CameraTestError(words: failure.text)
            }
        }
        let order = try camera.operations().map(\.code).filter {
            $0 == Self.frameRead || Self.photoReads.contains($0)
        }
        #expect(order.contains(where: Self.photoReads.contains) && order.last == Self.frameRead, "\(order)")
    }

    enum Ending: String, CaseIterable {
        case idle, close, term, hangUp, kill
    }

    private static let everyEnding: [(String, Ending)] = ["canon", "nikon", "fuji", "sony"].flatMap { maker in
        Ending.allCases.map { (maker, $0) }
    }
    /// The rows of the gate, with every ending at least once. The Canon and the Nikon have a clean ending and
    /// a kill, because live view changes their settings.
    private static let gateEndings: [(String, Ending)] = [
        ("canon", .idle), ("canon", .kill), ("nikon", .hangUp), ("nikon", .kill), ("fuji", .term),
        ("canon", .close),
    ]

    @Test(arguments: Tier.rows(everyEnding, gate: gateEndings))
    func `restores the camera's settings after each end of live view`(maker: String, ending: Ending) throws {
        let camera = try SimulatedCamera(maker: maker)
        if maker == "canon" { try camera.send("dial d1b0=1") }
        let before = try camera.body()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        for _ in 0..<3 { _ = try frame(worker) }
        // Live view changes no settings of a Fujifilm or a Sony. A Sony's live view is always on, and
        // the simulator does not report its state.
        if ["canon", "nikon"].contains(maker) { #expect(try camera.body() != before) }
        #expect(try camera.isLive() == (maker != "sony"))
        switch ending {
        case .idle:
            let start = monotonicMs()
            try pollUntil { try camera.body() == before }
            try camera.expect(before)
            try pollUntil { try !camera.isLive() }
            if Tier.isNight { #expect(monotonicMs() - start < LiveViewLimits.restMs + 5_000) }
        case .close: break
        case .term: kill(worker.pid, SIGTERM)
        case .hangUp: worker.hangUp()
        case .kill: kill(worker.pid, SIGKILL)
        }
        if [.idle, .close].contains(ending) { try worker.send { _ in .close } }
        worker.waitForExit()
        if ending != .kill { try camera.expect(before) }
        // The next worker restores the settings that a killed worker changed.
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        if maker == "nikon" { try expectShotOnCard(camera, next) }
        try next.send { _ in .close }
        next.waitForExit()
        try camera.expect(before)
        #expect(try !camera.isLive())
    }

    /// Verifies that the photographer can release the shutter and that the photo is saved to the card.
    private func expectShotOnCard(_ camera: SimulatedCamera, _ worker: WorkerProcess) throws {
        #expect(try camera.state().target == "card" && !camera.state().body_locked)
        #expect(try camera.send("shoot").hasPrefix("ok"))
        #expect(try worker.nextObject().folder.hasPrefix("/store_"))
    }

    @Test func `a Nikon saves photos to its card again after live view`() throws {
        let camera = try SimulatedCamera(maker: "nikon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        for _ in 0..<(Tier.isNight ? 200 : 3) { _ = try frame(worker) }
        #expect(try camera.state().target == "host" && camera.state().body_locked)
        _ = try worker.request { .end(id: $0) }
        try pollUntil { try !camera.state().body_locked }
        try expectShotOnCard(camera, worker)
    }

    @Test func `releases a Fujifilm's shutter during live view and continues live view`() throws {
        let camera = try SimulatedCamera(maker: "fuji", ["--size", "50KB"])
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        for _ in 0..<3 { _ = try frame(worker) }
        let id = try worker.send { .trigger(id: $0) }
        #expect(try worker.reply(to: id) == .done(id: id))
        #expect(try camera.state().shots == 1)
        let photo = try worker.nextObject()
        // The driver lists the live-view picture among the photos. The worker must not announce this picture.
        #expect(photo.name.hasPrefix("DSCF"))
        #expect(try frame(worker).isComplete)
        let others = worker.events.filter {
            if case .objectAdded(let object) = $0 { object != photo } else { false }
        }
        #expect(others.isEmpty)
    }

    @Test(arguments: Tier.rows(["cut", "missing"], gate: 1))
    func `reports a damaged frame and sends the next frame`(fault: String) throws {
        let camera = try SimulatedCamera(maker: "canon")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try frame(worker)
        try camera.send("bad-frame \(fault)")
        guard case .failed(_, let failure) = try worker.request({ .liveFrame(id: $0, LiveFrameCommand()) })
        else {
            Issue.record("a damaged frame was sent")
            return
        }
        #expect(failure.kind == .refused || failure.kind == .corrupt, "\(failure)")
        #expect(try frame(worker).isComplete)
    }

    /// The driver reads an endless frame in a loop and receives no more packets. The heartbeats report the
    /// silent call. The test then kills the worker, as the daemon does.
    @Test func `heartbeats report an endless frame, and the next worker fetches the photo`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--size", "50KB"])
        let before = try camera.body()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        _ = try worker.list()
        _ = try frame(worker)
        try camera.send("bad-frame endless")
        try worker.send { .liveFrame(id: $0, LiveFrameCommand()) }
        let silenceMs = Tier.isNight ? HangDetection.packetTimeoutMs : HangDetection.busyHeartbeatMs
        // On a busy computer, another call of the driver may be silent for a while before the frame.
        _ = try worker.wait { event -> Bool? in
            guard case .heartbeat(let heartbeat) = event, heartbeat.call == "preview",
                let silentMs = heartbeat.silentMs
            else { return nil }
            return silentMs > silenceMs ? true : nil
        }
        #expect(try camera.send("shoot").hasPrefix("ok"))
        kill(worker.pid, SIGKILL)
        worker.waitForExit()
        let next = try WorkerProcess(home: worker.scratch)
        _ = try next.open(camera)
        let photo = try #require(next.list().first)
        guard case .fetched(_, let result) = try next.fetch(photo).reply else {
            Issue.record("\(photo.name) was not fetched")
            return
        }
        #expect(try result.sha256 == camera.truth(of: photo.name).sha256, "[loss] wrong photo content")
        try next.send { _ in .close }
        next.waitForExit()
        try camera.expect(before)
        #expect(try !camera.isLive())
    }

    @Test func `refuses live view on a camera that does not support live view`() throws {
        let camera = try SimulatedCamera()
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        guard case .failed(_, let failure) = try worker.request({ .liveFrame(id: $0, LiveFrameCommand()) })
        else {
            Issue.record("a camera without live view sent a frame")
            return
        }
        #expect(failure.kind == .unsupported)
    }
}
