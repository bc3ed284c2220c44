import CLinux
import Glibc

/// Whether a file has writers, asked of the kernel by a lease on reading (fcntl(2), `F_SETLEASE`).
public enum FileWriters: Hashable, Sendable {
    /// Nobody has it open or mapped for writing.
    case none
    /// Somebody has.
    case some
    /// Nobody can tell: its file system has no leases (NFS, CIFS, some FUSE), or it belongs to another user, as all
    /// files of a FAT disk may.
    case unknown

    /// - Parameter descriptor: The file, opened for reading only.
    public static func of(_ descriptor: Int32) -> FileWriters {
        switch framefast_ask_writers(descriptor) {
        case 0: .none
        case EAGAIN: .some
        default: .unknown
        }
    }
}
