import FrameFastSystem
import TestRig
import Testing

/// Tests of the state directory's lock.
@Suite struct StateLockTests {
    @Test func `isHeld detects a lock and does not create the file`() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path("lock")
        #expect(!StateLock.isHeld(path))
        #expect(!DurableFile.exists(path))
        let lock = try StateLock.acquire(path)
        #expect(StateLock.isHeld(path))
        withExtendedLifetime(lock) {}
    }
}
