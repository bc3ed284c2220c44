import Synchronization
import Testing

import struct TestRig.ProgramsTrait

@testable import CameraSimulator

@Suite(.blocking) struct TruthLogTests {
    @Test func `reports each photo whose line can't be written`() throws {
        let failures = Mutex<[SimulatorError]>([])
        var test = TestCamera()
        try test.shoot(2)
        let truth = try TruthLog(path: "/dev/full") { failure in failures.withLock { $0.append(failure) } }
        truth.append(test.camera.drainNewFiles())
        truth.flush()
        let failure = SimulatorError.file(path: "/dev/full", reason: "No space left on device")
        #expect(failures.withLock { $0 } == [failure, failure])
    }
}
