import Foundation
import FrameFastSystem
import Synchronization
import TestRig
import Testing

@Suite struct DiskIdentityTests {
    /// Looked at in several calls by its path, a folder that went in between was on no disk of `/`: the capture directory
    /// was then taken for an unmounted one, for ever.
    @Test func `a folder that is moved while it is looked at lies on the disk that it lies on`() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path("photos")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let here = try DiskIdentity.of(scratch.path("."))
        let isOver = Mutex(false)
        let mover = Thread {
            while !isOver.withLock({ $0 }) {
                rename(folder, folder + "-away")
                rename(folder + "-away", folder)
            }
        }
        mover.start()
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<20_000 { try #require(try DiskIdentity.of(folder) == here) }
    }

    @Test func `what is not there lies where it would be made`() throws {
        let scratch = try ScratchFolder()
        #expect(try DiskIdentity.of(scratch.path("a/b/c")) == DiskIdentity.of(scratch.path(".")))
        #expect(try DiskIdentity.of("/proc") != DiskIdentity.of("/"))
        let identity = try DiskIdentity.of(scratch.path("."))
        #expect(DiskIdentity(identity.description) == identity)
    }
}
