import FoundationEssentials
import FrameFastSystem
import SystemPackage
import TestRig
import Testing

/// Tests that each function calls `fsync`. The kernel does not support `fsync` for a device, or for a folder
/// in `/proc` or `/sys`. If a function has called `fsync` for such a device or folder,
/// ``FileSync/isSupported(at:)`` returns `false`.
@Suite struct DurableFileTests {
    @Test func `sync calls fsync for a file`() throws {
        try DurableFile.sync("/dev/null")
        #expect(!FileSync.isSupported(at: "/dev/null"))
    }

    @Test func `syncFolder calls fsync for a folder`() throws {
        try DurableFile.syncFolder("/sys")
        #expect(!FileSync.isSupported(at: "/sys"))
    }

    @Test func `syncFolders starts with the innermost folder`() {
        #expect(
            throws: SystemCallError(
                call: "open", subject: "/nowhere/photos", errno: .noSuchFileOrDirectory)
        ) {
            try DurableFile.syncFolders(from: "/nowhere/photos", upTo: "/nowhere")
        }
    }

    @Test func `syncFolders follows symbolic links and continues with the parent folder`() throws {
        // `/proc/self/cwd` and `/proc/self` are symbolic links.
        try DurableFile.syncFolders(from: "/proc/self/cwd", upTo: "/proc/self")
        #expect(!FileSync.isSupported(at: "/proc/self"))
    }

    @Test func `sync refuses a symbolic link to a file`() {
        #expect(
            throws: SystemCallError(
                call: "open", subject: "/proc/self/exe", errno: .tooManySymbolicLinkLevels)
        ) {
            try DurableFile.sync("/proc/self/exe")
        }
    }

    @Test func `a file system supports fsync after a successful sync`() throws {
        let scratch = try ScratchFolder()
        try DurableFile.syncFolder(scratch.url.path)
        #expect(FileSync.isSupported(at: scratch.url.path))
    }

    @Test(arguments: [
        ("/", "/"), ("//", "/"), ("/a", "/"), ("/a/", "/"), ("/a/b", "/a"), ("/a/b/", "/a"), ("/a//b", "/a"),
        ("//a", "/"), ("a", ""), ("a/b", "a"), ("", ""), ("/é/写真 1.jpg", "/é"), ("/a/.", "/a"),
    ])
    func `returns the parent folder of a path`(path: String, parent: String) {
        #expect(DurableFile.parent(of: path) == parent)
    }
}
