import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Live view that the worker refuses or ends because of the camera's battery or temperature.
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
        switch try worker.request({ .liveFrame(id: $0, LiveFrameOrder()) }) {
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
    func `refuses live view on an overheated camera without changing it`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        try camera.send("hot on")
        #expect(try refusal(of: worker) != nil)
        try camera.send("hot off")
        _ = try worker.request { .end(id: $0) }
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    /// Only for a Nikon, because the driver does not report the temperature of the simulated EOS. On an EOS,
    /// live view ends with the driver's error.
    @Test func `ends live view of an overheated Nikon and restores its settings`() throws {
        let (camera, worker) = try opened("nikon")
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
}
