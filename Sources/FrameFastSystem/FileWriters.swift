import CLinux
import Glibc

/// Whether a file has writers, asked of the kernel by a lease on reading (fcntl(2), `F_SETLEASE`).
public enum FileWriters {
    /// - Parameter descriptor: The file, opened for reading only, and owned by this process' user.
    /// - Returns: `false` when somebody has it open or mapped for writing; `true` when nobody has, or when its file system
    ///   has no leases.
    public static func areGone(_ descriptor: Int32) -> Bool { framefast_ask_writers(descriptor) != EAGAIN }
}
