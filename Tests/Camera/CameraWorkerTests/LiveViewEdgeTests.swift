import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Live view that the worker refuses or ends because of the camera's battery or its temperature.
@Suite(.programs(2)) struct LiveViewEdgeTests {
    private func opened(_ maker: String, _ arguments: [String] = []) throws -> (
        SimulatedCamera, WorkerProcess
    ) {
        let camera = try SimulatedCamera(maker: maker, arguments)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        return (camera, worker)
    }

    /// Asks for a frame.
    ///
    /// - Returns: the failure, or `nil` if a frame came.
    private func refusal(of worker: WorkerProcess) throws -> WorkerFailure? {
        switch try worker.ask({ .liveFrame(id: $0, LiveFrameOrder()) }) {
        case .frame: nil
        case .failed(_, let failure): failure
        case let other: throw CameraTrouble(words: "\(other)")
        }
    }

    @Test func `refuses live view with a battery of 5 percent, and changes nothing on the camera`() throws {
        let (camera, worker) = try opened("nikon", ["--battery", "5"])
        let before = try camera.body()
        let failure = try #require(try refusal(of: worker))
        #expect(failure.kind == .refused && failure.text.contains("battery has 5 %"), "\(failure)")
        try camera.expect(before)
        #expect(try !camera.isLive())
    }

    @Test(arguments: Tier.rows(["canon", "nikon"], gate: 1))
    func `a body that is too hot shows nothing, and is as before`(maker: String) throws {
        let (camera, worker) = try opened(maker)
        let before = try camera.body()
        try camera.say("hot on")
        #expect(try refusal(of: worker) != nil)
        try camera.say("hot off")
        _ = try worker.ask { .end(id: $0) }
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
    }

    /// The driver does not tell the temperature of the simulated EOS: its live view ends with the words of the driver.
    @Test func `ends live view of a Nikon that gets too hot with the reason, and sets it back`() throws {
        let (camera, worker) = try opened("nikon")
        let before = try camera.body()
        for _ in 0..<3 { #expect(try refusal(of: worker) == nil) }
        #expect(try camera.isLive() && camera.body() != before)
        try camera.say("hot on")
        let failure = try #require(try refusal(of: worker))
        #expect(failure.kind == .refused && failure.text.contains("too warm"), "\(failure)")
        try camera.say("hot off")
        try pollUntil { try camera.body() == before }
        try camera.expect(before)
        #expect(try !camera.isLive())
    }
}
