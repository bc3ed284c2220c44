import Testing

@testable import CameraSimulator

/// Tests of the errors that the control socket reports for a press of the shutter.
@Suite struct PressErrorTests {
    private func error(_ prepare: (inout SimulatorOptions) -> Void, _ requests: [PTPRequest] = []) throws
        -> String
    {
        var options = SimulatorOptions()
        options.sizes = 30_000...30_000
        prepare(&options)
        let simulator = try Simulator(options)
        simulator.link.withCamera { camera in
            for request in requests { _ = camera.respond(to: request, at: SharedCamera.now()) }
        }
        do throws(SimulatorError) { return try simulator.run(ControlCommand("shoot")) } catch {
            return "\(error)"
        }
    }

    @Test func `reports a full card`() throws {
        let text = try error { $0.cardBytes = 1000 }
        #expect(text.contains("the card is full"))
    }

    @Test func `reports a locked shutter button`() throws {
        let requests = [PTPRequest(.openSession, 1), PTPRequest(.canonSetUILock)]
        let text = try error({ $0.identity = CameraIdentity(.canon) }, requests)
        #expect(text.contains("locked the shutter"))
    }

    @Test func `reports that a read blocks the shutter`() throws {
        let requests = [PTPRequest(.openSession, 1), PTPRequest(.getObject, 3)]
        let text = try error(
            { options in
                options.existing = 1
                options.shutterHeldMs = 60_000
            }, requests)
        #expect(text.contains("the shutter is blocked"))
    }
}
