import CLinux
import Glibc

/// The result of a query for writers of a file, through a read lease (fcntl(2), `F_SETLEASE`).
public enum FileWriters: Hashable, Sendable {
    /// No process has the file open or mapped for writing.
    case none
    /// A process has the file open or mapped for writing.
    case some
    /// Unknown: the file system has no leases (NFS, CIFS, some FUSE), or the file belongs to another user, as
    /// all files of a FAT disk may.
    case unknown

    /// Queries the kernel for writers of a file.
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
