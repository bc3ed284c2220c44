import CLinux
import Glibc
import SystemPackage

/// Publishing of files under their final names.
extension DurableFile {
    /// Moves a complete file to its final name without replacing another file.
    ///
    /// Uses the first method that the file system supports:
    ///
    /// 1. A rename that fails if the name exists.
    /// 2. A hard link (NFS, some FUSE file systems).
    /// 3. An empty file, created exclusively with the final name, and a rename over it (other FUSE file
    ///    systems, some network shares). If another program writes to the empty file in the microseconds
    ///    before the rename, that program loses its data.
    ///
    /// If the final name is on another file system, a copy of the file gets the name, and the file is
    /// removed. A path below one folder can lead to another file system: through a mount, a symbolic link, a
    /// Btrfs subvolume, or another disk of a mergerfs pool.
    ///
    /// - Parameter resumes: Whether an earlier run of the service was interrupted while it published this
    ///   file under this name. In this case, an existing empty file with this name comes from method 3 and is
    ///   replaced.
    /// - Returns: `false` if the name already exists. In this case, nothing has changed.
    public static func publish(_ part: String, as final: String, resumes: Bool = false)
        throws(SystemCallError)
        -> Bool
    {
        try SimulatedHost.willPerform(.publish, final)
        do throws(SystemCallError) { return try move(part, to: final, resumes: resumes) } catch {
            guard error.errno == .improperLink else { throw error }
        }
        return try publishCopy(of: part, as: final, resumes: resumes)
    }

    /// Moves a file to a name on the same file system without replacing another file.
    private static func move(
        _ part: String, to final: String, resumes: Bool
    ) throws(SystemCallError) -> Bool {
        switch framefast_rename_noreplace(part, final) {
        case 0: return true
        case EEXIST: return removesPart(part, publishedAs: final)
        case let number:
            let reason = Errno(rawValue: number)
            guard reason.isUnsupported else {
                throw SystemCallError(call: "rename to", subject: final, errno: reason)
            }
        }
        guard link(part, final) == 0 else {
            let number = errno
            if number == EEXIST { return removesPart(part, publishedAs: final) }
            let reason = Errno(rawValue: number)
            // link(2) returns EPERM on a file system without hard links.
            guard number == EPERM || reason.isUnsupported else {
                throw SystemCallError(call: "link to", subject: final, errno: reason)
            }
            return try publishOverEmpty(part, as: final, resumes: resumes)
        }
        // With `link-exdev`, mergerfs creates a symbolic link to a file on another disk.
        guard isRegular(final) else {
            _ = unlink(final)
            throw SystemCallError(call: "link to", subject: final, errno: .improperLink)
        }
        // The file now has both names. If `unlink` fails, the next start of the service removes the part
        // name.
        _ = unlink(part)
        return true
    }

    /// Removes the part name of a file that already has its final name. An NFS client repeats a `link` whose
    /// reply was lost, and reports the name as taken (open(2), `O_EXCL`).
    ///
    /// Some mounts report one inode number for two files, for example mergerfs and SMB. The file must
    /// therefore also have a second name.
    ///
    /// - Returns: `false` if the final name belongs to another file. In this case, nothing has changed.
    private static func removesPart(_ part: String, publishedAs final: String) -> Bool {
        var information = stat()
        guard areSame(part, final), lstat(part, &information) == 0, information.st_nlink > 1 else {
            return false
        }
        _ = unlink(part)
        return true
    }

    /// Returns the path of the copy of a file that gets a name on another file system. The copy has this
    /// hidden path until it is complete. After a crash, an incomplete copy may remain there.
    public static func copyPath(of part: String, as final: String) -> String {
        "\(parent(of: final))/.\(FilePath(part).lastComponent?.string ?? "copy")"
    }

    /// Publishes a copy of a file, and removes the file after the copy's name is durable. After a crash, the
    /// next call for the same file replaces the copy.
    ///
    /// - Parameter syncFolder: A function that syncs a folder's entries to the disk.
    static func publishCopy(
        of part: String, as final: String, resumes: Bool,
        syncFolder: (_ path: String) throws(SystemCallError) -> Void = DurableFile.syncFolder
    ) throws(SystemCallError) -> Bool {
        // Before a crash, an earlier call may have completed the copy. The disk may be full now.
        guard !exists(final) || resumes && isEmptyFile(final) else { return false }
        let copy = copyPath(of: part, as: final)
        try makeCopy(of: part, at: copy)
        do throws(SystemCallError) {
            guard try move(copy, to: final, resumes: resumes) else {
                try remove(copy)
                return false
            }
        } catch {
            _ = unlink(copy)
            throw error
        }
        // A power failure may keep the removal of the file and lose a name that is not durable. Both are on
        // different file systems.
        do throws(SystemCallError) { try syncFolder(parent(of: final)) } catch {
            _ = unlink(final)
            throw error
        }
        // If `unlink` fails, the next start of the service removes the part file.
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
            guard errno == EEXIST else { throw failure("create", final) }
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
