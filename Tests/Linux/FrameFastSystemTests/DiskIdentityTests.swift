import Foundation
import FrameFastSystem
import Synchronization
import TestRig
import Testing

@Suite struct DiskIdentityTests {
    /// Regression test: the path was queried in several system calls. If the folder moved between two calls,
    /// the service treated the capture directory as unmounted.
    @Test func `a rename during the query does not change a folder's disk`() throws {
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

    @Test(arguments: [
        ("4d44", true), ("2011bab0", true), ("ff534d42", true), ("fe534d42", true), ("ef53", false),
        ("65735546", false),
    ])
    func `FAT, exFAT and SMB store no owners`(kind: String, lacksOwners: Bool) throws {
        let disk = try #require(DiskIdentity("\(kind):1:own"))
        #expect(disk.lacksOwners == lacksOwners)
    }

    @Test func `returns the disk of the nearest parent for a missing path`() throws {
        let scratch = try ScratchFolder()
        #expect(try DiskIdentity.of(scratch.path("a/b/c")) == DiskIdentity.of(scratch.path(".")))
        #expect(try DiskIdentity.of("/proc") != DiskIdentity.of("/"))
        let identity = try DiskIdentity.of(scratch.path("."))
        #expect(DiskIdentity(identity.description) == identity)
    }
}
