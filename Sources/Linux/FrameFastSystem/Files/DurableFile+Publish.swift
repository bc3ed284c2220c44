import CLinux
import Glibc
import SystemPackage

/// Giving a finished file its final name.
extension DurableFile {
    /// Moves a finished file to its final name without ever replacing another file.
    ///
    /// Three ways, the first that the file system has: a rename that refuses a taken name; a hard link (NFS, some FUSE);
    /// and where there is neither (other FUSE, some shares), an empty file that takes the name, which only one can make,
    /// and a rename over it. What was there before is never replaced by the third way either; another program that opens
    /// the empty file by its name and writes to it in the microseconds between would lose what it wrote.
    ///
    /// - Parameter resumes: Whether this very file was being given this very name when the service ended: then an empty
    ///   file under that name is the one that took it, where the file system needs that.
    /// - Returns: `false` when the name is taken; nothing has changed then.
    public static func publish(_ part: String, as final: String, resumes: Bool = false)
        throws(SystemCallError)
        -> Bool
    {
        switch framefast_rename_noreplace(part, final) {
        case 0: return true
        case EEXIST: return false
        case let number:
            let reason = Errno(rawValue: number)
            guard reason.isNotOffered else {
                throw SystemCallError(call: "rename to", subject: final, errno: reason)
            }
        }
        guard link(part, final) == 0 else {
            let number = errno
            if number == EEXIST { return false }
            let reason = Errno(rawValue: number)
            // Linux says EPERM of a file system without hard links (link(2)).
            guard number == EPERM || reason.isNotOffered else {
                throw SystemCallError(call: "link to", subject: final, errno: reason)
            }
            return try publishOverEmpty(part, as: final, resumes: resumes)
        }
        // The file has its final name: a first name that stays as well is swept at the next start.
        _ = unlink(part)
        return true
    }

    static func publishOverEmpty(
        _ part: String, as final: String, resumes: Bool
    ) throws(SystemCallError) -> Bool {
        let taken = open(final, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if taken >= 0 {
            close(taken)
        } else {
            guard errno == EEXIST else { throw failure("make", final) }
            guard resumes else { return false }
        }
        guard isEmptyFile(final) else { return false }
        guard rename(part, final) == 0 else {
            let failure = failure("rename to", final)
            if isEmptyFile(final) { _ = unlink(final) }
            throw failure
        }
        return true
    }

    private static func isEmptyFile(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
            && information.st_size == 0
    }
}
