import Foundation
import FrameFastSystem
import Synchronization
import TestRig
import Testing

@Suite struct DiskIdentityTests {
    /// A query with several calls by path saw a moved folder on no disk of `/`. The service then considered
    /// the capture directory unmounted permanently.
    @Test func `a folder that moves during the query keeps its disk`() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path("photos")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let disk = try DiskIdentity.of(scratch.path("."))
        let isOver = Mutex(false)
        let mover = Thread {
            while !isOver.withLock({ $0 }) {
                rename(folder, folder + "-away")
                rename(folder + "-away", folder)
            }
        }
        mover.start()
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<20_000 { try #require(try DiskIdentity.of(folder) == disk) }
    }

    @Test func `a missing path has the disk of its nearest parent`() throws {
        let scratch = try ScratchFolder()
        #expect(try DiskIdentity.of(scratch.path("a/b/c")) == DiskIdentity.of(scratch.path(".")))
        #expect(try DiskIdentity.of("/proc") != DiskIdentity.of("/"))
        let identity = try DiskIdentity.of(scratch.path("."))
        #expect(DiskIdentity(identity.description) == identity)
    }
}
