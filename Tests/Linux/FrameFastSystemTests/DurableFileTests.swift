import FoundationEssentials
import FrameFastSystem
import SystemPackage
import TestRig
import Testing

/// A file or folder counts as durable only if `fsync` was called. The kernel does not support `fsync` of a
/// device, or of a folder in `/proc` or `/sys`. A call that reaches the kernel is therefore visible in the
/// recorded file systems.
@Suite struct DurableFileTests {
    @Test func `sync calls fsync for a file`() throws {
        try DurableFile.sync("/dev/null")
        #expect(!FileSync.isSupported(at: "/dev/null"))
    }

    @Test func `syncFolder calls fsync for a folder`() throws {
        try DurableFile.syncFolder("/sys")
        #expect(!FileSync.isSupported(at: "/sys"))
    }

    @Test func `syncFolders starts with the innermost folder and continues to the root`() {
        // `/proc/self` is a link, and can't be opened as a folder.
        #expect(
            throws: SystemCallError(call: "open", subject: "/proc/self", errno: .notDirectory)
        ) {
            try DurableFile.syncFolders(from: "/proc/self/task", upTo: "/proc")
        }
        #expect(!FileSync.isSupported(at: "/proc/self/task"))
    }

    @Test func `a file system that confirms each sync offers fsync`() throws {
        let scratch = try ScratchFolder()
        try DurableFile.syncFolder(scratch.url.path)
        #expect(FileSync.isSupported(at: scratch.url.path))
    }
}
