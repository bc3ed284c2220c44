import FrameFastSystem
import SystemPackage
import Testing

/// A file or folder counts as durable only if `fsync` was called and succeeded. The kernel refuses `fsync` of a device
/// and of a folder in `/proc`, so that each of these calls fails exactly if it reaches the kernel.
@Suite struct DurableFileTests {
    private static func refused(_ path: String) -> SystemCallError {
        SystemCallError(call: "fsync", subject: path, errno: .invalidArgument)
    }

    @Test func `sync fails for a file that fsync refuses`() {
        #expect(throws: Self.refused("/dev/null")) { try DurableFile.sync("/dev/null") }
    }

    @Test func `syncFolder fails for a folder that fsync refuses`() {
        #expect(throws: Self.refused("/proc")) { try DurableFile.syncFolder("/proc") }
    }

    @Test func `syncFolders starts with the innermost folder and continues to the root`() {
        #expect(throws: Self.refused("/proc/self/task")) {
            try DurableFile.syncFolders(from: "/proc/self/task", upTo: "/proc")
        }
        #expect(throws: Self.refused("/proc")) { try DurableFile.syncFolders(from: "/proc", upTo: "/proc") }
    }
}
