import CLinux
import Glibc
import SystemPackage

/// Publishing of files under their final names.
extension DurableFile {
    /// Moves a complete file to its final name without replacing another file.
    ///
    /// Uses the first of three ways that the file system supports: a rename that fails if the name exists; a
    /// hard link (NFS, some FUSE); or the exclusive creation of an empty file with that name and a rename
    /// over it (other FUSE, some shares). The third way also never replaces an existing file. Another program
    /// that opens the empty file and writes to it in the microseconds before the rename would lose its data.
    ///
    /// - Parameter resumes: Whether the service ended while it was publishing this file under this name. If
    ///   so, an empty file with that name is the one that the third way created.
    /// - Returns: `false` if the name already exists. Nothing has changed then.
    public static func publish(_ part: String, as final: String, resumes: Bool = false)
        throws(SystemCallError)
        -> Bool
    {
        switch framefast_rename_noreplace(part, final) {
        case 0: return true
        case EEXIST: return false
        case let number:
            let reason = Errno(rawValue: number)
            guard reason.isUnsupported else {
                throw SystemCallError(call: "rename to", subject: final, errno: reason)
            }
        }
        guard link(part, final) == 0 else {
            let number = errno
            if number == EEXIST { return false }
            let reason = Errno(rawValue: number)
            // Linux returns EPERM for a file system without hard links (link(2)).
            guard number == EPERM || reason.isUnsupported else {
                throw SystemCallError(call: "link to", subject: final, errno: reason)
            }
            return try publishOverEmpty(part, as: final, resumes: resumes)
        }
        // The file has its final name. The next start of the service removes a remaining part name.
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
