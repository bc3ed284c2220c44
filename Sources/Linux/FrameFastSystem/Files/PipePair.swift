import CLinux
import Glibc
public import SystemPackage

/// A pipe whose ends are both created with close-on-exec. A program that another thread starts at the same
/// time therefore does not inherit the ends.
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
