import CLinux
import Glibc
public import SystemPackage

/// A pipe with both ends close-on-exec from its creation. A program that another thread starts at the same
/// time does not inherit them.
public enum PipePair {
    /// Creates a pipe. The caller owns and closes both ends.
    public static func make() throws(SystemCallError) -> (reader: FileDescriptor, writer: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        let status = framefast_pipe(&ends)
        guard status == 0 else {
            errno = status
            throw DurableFile.failure("create", "a pipe")
        }
        return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }
}
