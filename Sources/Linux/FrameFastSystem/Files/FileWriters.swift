import CLinux
import Glibc

/// Whether any process can write to a file, as the kernel reports when it grants or refuses a read lease
/// (fcntl(2), `F_SETLEASE`).
public enum FileWriters: Hashable, Sendable {
    /// No process has the file open or mapped for writing.
    case none
    /// A process has the file open or mapped for writing.
    case some
    /// The kernel cannot tell: the file system has no leases (NFS, CIFS, some FUSE file systems), or the file
    /// belongs to another user. On a FAT disk, all files may belong to another user.
    case unknown

    /// Queries the kernel for processes that can write to a file.
    ///
    /// - Parameter descriptor: The file, opened read-only.
    public static func of(_ descriptor: Int32) -> FileWriters {
        switch framefast_ask_writers(descriptor) {
        case 0: .none
        case EAGAIN: .some
        default: .unknown
        }
    }
}
