import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of whether the worker refuses or ends live view because of the camera's battery or temperature.
@Suite(.programs(2)) struct LiveViewEdgeTests {
    private func opened(_ maker: String, _ arguments: [String] = []) throws -> (
        SimulatedCamera, WorkerProcess
    ) {
        let camera = try SimulatedCamera(maker: maker, arguments)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        return (camera, worker)
    }

    /// Requests a frame.
    ///
    /// - Returns: The failure, or `nil` if a frame arrived.
    private func refusal(of worker: WorkerProcess) throws -> WorkerFailure? {
        switch try worker.request({ .liveFrame(id: $0, LiveFrameCommand()) }) {
        case .frame: nil
        case .failed(_, let failure): failure
        case let other: throw CameraTestError(words: "\(other)")
        }
    }

    @Test func `refuses live view at 5 percent battery without changing the camera`() throws {
        let (camera, worker) = try opened("nikon", ["--battery", "5"])
        let before = try camera.body()
        let failure = try #require(try refusal(of: worker))
        #expect(failure.kind == .refused && failure.text.contains("battery is at 5 %"), "\(failure)")
        try camera.expect(before)
        #expect(try !camera.isLive())
    }

    @Test(arguments: Tier.rows(["canon", "nikon"], gate: 1))
    func `refuses live view on an overheated camera and keeps the camera's settings`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        try camera.send("hot on")
        let failure = try #require(try refusal(of: worker))
        #expect(failure.kind == .refused && failure.text.contains("too hot"), "\(failure)")
        try camera.send("hot off")
        _ = try worker.request { .end(id: $0) }
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    /// The driver reads a Nikon's temperature as a setting. An EOS reports its temperature only in events.
    @Test(arguments: ["canon", "nikon"])
    func `ends live view of an overheated camera and restores its settings`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        for _ in 0..<3 { #expect(try refusal(of: worker) == nil) }
        #expect(try camera.isLive() && camera.body() != before)
        try camera.send("hot on")
        let failure = try #require(try refusal(of: worker))
        #expect(failure.kind == .refused && failure.text.contains("too hot"), "\(failure)")
        try camera.send("hot off")
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
        #expect(try !camera.isLive())
    }

    /// The driver shows the highest level of an EOS M10 as `3%`.
    @Test func `allows live view at the highest of an EOS's four battery levels`() throws {
        let camera = try SimulatedCamera(maker: "canon", ["--eos-battery", "levels", "--battery", "100"])
        let worker = try WorkerProcess()
        #expect(try worker.open(camera).batteryPercent == 100)
        #expect(try refusal(of: worker) == nil)
    }

    /// Cameras whose battery runs down, with the level in the worker's error. An older EOS reports only one
    /// of five steps, and no percentage.
    private static let emptying: [(maker: String, arguments: [String], level: String)] = [
        ("nikon", [], "at 5 %"), ("canon", [], "at 5 %"), ("canon", ["--eos-battery", "steps"], "low"),
    ]

    @Test(arguments: Tier.rows(emptying, gate: [emptying[0], emptying[2]]))
    func `ends live view when the battery runs down and restores the settings`(
        maker: String, arguments: [String], level: String
    ) throws {
        let (camera, worker) = try opened(maker, arguments)
        let before = try camera.body()
        #expect(try refusal(of: worker) == nil)
        #expect(try camera.isLive() && camera.body() != before)
        try camera.send("battery 5")
        var failure: WorkerFailure?
        // The driver may return the previous battery level for two seconds.
        try pollUntil {
            _ = try worker.request { .refresh(id: $0) }
            failure = try refusal(of: worker)
            return failure != nil
        }
        let found = try #require(failure)
        #expect(found.kind == .refused && found.text.contains("battery is \(level)"), "\(found)")
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
        #expect(try !camera.isLive())
    }
}
