import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests that an operation needs a new photo as proof of its success.
@Suite(.programs(2)) struct PhotoProofTests {
    private static let lostEvent = ["--size", "50KB", "--existing", "2", "--fault", "lost-event@shot 1"]

    /// The camera accepts the commands for the release button, and takes no photo.
    @Test func `an unreported photo from before an exposure does not complete the exposure`() throws {
        let camera = try SimulatedCamera(maker: "canon", Self.lostEvent)
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        #expect(try worker.list().count == 2)
        #expect(try camera.send("shoot").hasPrefix("ok"))
        let missing = try worker.waitUntilMissing(1)
        #expect(missing == 1)
        for code in ["0x9128", "0x9129"] { try camera.send("fault response:0x2001*always @op \(code)") }
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 100))) }
        #expect(try worker.reply(to: id) == .done(id: id))

        // The worker compares the objects on the card with the announced objects.
        func comparisons() throws -> Int { try camera.state().requests["getObjectHandles"] ?? 0 }
        let before = try comparisons()
        try pollUntil { try comparisons() > before }
        #expect(try camera.send("shoot").hasPrefix("ok"))
        var isAnnounced = false
        let end = try worker.wait { event -> CameraOperationProgress? in
            if case .objectAdded = event { isAnnounced = true }
            guard case .operation(let progress) = event, progress.state != .running else { return nil }
            return progress
        }
        #expect(isAnnounced, "the exposure ended before the camera announced a photo: \(end)")
        #expect(end.state == .ended && end.done == 1, "\(end)")
    }
}

extension WorkerProcess {
    /// Compares the card with the announced objects until exactly `count` objects are missing.
    ///
    /// - Returns: The number of missing objects in the last comparison.
    fileprivate func waitUntilMissing(_ count: Int) throws -> Int {
        var missing = 0
        try pollUntil {
            if case .reconciled(_, let now, _, _) = try request({ .reconcile(id: $0) }) { missing = now }
            return missing == count
        }
        return missing
    }
}
