import Foundation
import FrameFastSystem
import Synchronization
import TestRig
import Testing

@Suite struct DiskIdentityTests {
    /// An earlier version queried the path in several system calls. When the folder moved between two calls,
    /// the result was wrong, and the service treated the capture directory as unmounted.
    @Test func `returns the same disk for a folder that is renamed during the query`() throws {
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

    @Test func `returns the disk of the nearest parent for a missing path`() throws {
        let scratch = try ScratchFolder()
        #expect(try DiskIdentity.of(scratch.path("a/b/c")) == DiskIdentity.of(scratch.path(".")))
        #expect(try DiskIdentity.of("/proc") != DiskIdentity.of("/"))
        let identity = try DiskIdentity.of(scratch.path("."))
        #expect(DiskIdentity(identity.description) == identity)
    }
}
