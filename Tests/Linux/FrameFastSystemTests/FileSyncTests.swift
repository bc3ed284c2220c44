import Foundation
import FrameFastSystem
import Glibc
import SystemPackage
import Testing

/// Tests of syncing with and without support for fsync, of modification times and of the descriptor limit.
@Suite struct FileSyncTests {
    /// fsync(2) of a character device fails with EINVAL, like fsync(2) on a file system without support.
    @Test func `records a file system without fsync and returns no error`() throws {
        let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(fsync(descriptor) == -1 && errno == EINVAL)
        #expect(FileSync.force(descriptor) == nil)
        #expect(!FileSync.isSupported(at: "/dev/null"))
    }

    @Test func `an ordinary folder supports fsync`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        try DurableFile.syncFolder(folder)
        #expect(FileSync.isSupported(at: folder))
        #expect(FileSync.isSupported(at: folder + "/not-there"))
    }

    @Test func `a bad descriptor returns an error`() { #expect(FileSync.force(-1) == .badFileDescriptor) }

    @Test func `copies the modification time of the original`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "times-\(UUID().uuidString)").path
        try DurableFile.createFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["a", "b"] { try DurableFile.write([1], new: folder + "/" + name) }
        let time = Date(timeIntervalSince1970: 1_000_000_000)
        DurableFile.setModificationTime(of: folder + "/a", to: time)
        DurableFile.copyModificationTime(of: folder + "/a", to: folder + "/b")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/b")
        #expect(attributes[.modificationDate] as? Date == time)
    }

    @Test func `raises the descriptor limit and never lowers it`() {
        let before = DescriptorLimit.raise(to: 0)
        #expect(before > 0)
        // Tests of the web page, in the same process, may raise the limit at the same time.
        #expect(DescriptorLimit.raise(to: 0) >= before)
        #expect(DescriptorLimit.raise() >= before)
    }
}
