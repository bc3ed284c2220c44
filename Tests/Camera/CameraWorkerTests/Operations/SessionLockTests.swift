import Foundation
import FrameFastModel
import TestRig
import Testing
import WorkerProtocol

/// Tests of two workers for one camera. The daemon of the first worker has exited.
@Suite(.programs(2)) struct SessionLockTests {
    @Test func `refuses a camera while an earlier worker's exposure continues`() throws {
        let camera = try SimulatedCamera(maker: "fuji", ["--size", "50KB"])
        try camera.send("dial shutter=bulb")
        let worker = try WorkerProcess()
        _ = try worker.open(camera)
        // The exposure lasts longer than the start of the next worker, even on a busy system.
        let id = try worker.send { .begin(id: $0, .bulb(BulbCommand(durationMs: 10_000))) }
        #expect(try worker.reply(to: id) == .done(id: id))
        worker.hangUp()
        let next = try WorkerProcess(home: worker.scratch)
        #expect {
            try next.open(camera)
        } throws: { "\($0)".contains(WorkerFailure.earlierWorkerIsEnding.text) }
        #expect(try camera.send("bulb-state").contains("\"open\":true"))
        worker.waitForExit()
        #expect(try camera.send("bulb-state").contains("\"open\":false"))
        try next.openAgain(camera)
        #expect(try camera.state().shots == 1)
    }
}
