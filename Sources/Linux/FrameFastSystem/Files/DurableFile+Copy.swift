import Glibc
import SystemIO
import SystemPackage

extension DurableFile {
    /// The size of the copy buffer, in bytes.
    private static let copyBytes = 1 << 20

    /// Replaces a file with a copy of itself. A process that has the file open continues to use the old file,
    /// which no longer has a name. This function does not sync the copy to the disk.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - copy: The temporary path of the copy, in the same folder. An existing file at this path is
    ///     removed.
    ///   - descriptor: A descriptor of the file, opened for reading, at offset 0.
    /// - Throws: The error of the failed system call. The file is then unchanged.
    public static func replaceWithCopy(
        _ path: String, by copy: String, from descriptor: Int32
    ) throws(SystemCallError) {
        try remove(copy)
        let file = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard file >= 0 else { throw failure("open", copy) }
        defer { close(file) }
        do throws(SystemCallError) {
            try transfer(descriptor, path, to: file, copy)
            try replace(path, with: copy)
        } catch {
            unlink(copy)
            throw error
        }
    }

    /// Copies a regular file with its mode and modification time, and syncs the copy to the disk.
    ///
    /// The file is locked while it is copied (``isCopying(_:)``). The lock is shared: under an exclusive
    /// lock, an SMB share refuses reads through other descriptors (`nobrl` in mount.cifs(8)). On a file
    /// system without locks, the file is not locked.
    ///
    /// - Parameters:
    ///   - copy: The path of the copy. An existing file at this path is removed.
    ///   - sync: A function that syncs an open file to the disk.
    /// - Throws: `ioError` if the copy has other bytes than the file when it is read back, or the error of
    ///   the failed system call. The copy is then removed.
    static func makeCopy(
        of path: String, at copy: String, sync: (_ descriptor: Int32) -> Errno? = FileSync.force
    ) throws(SystemCallError) {
        let original = try FileReader(path)
        let lock = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        // Closing the descriptor releases the lock.
        defer { if lock >= 0 { close(lock) } }
        _ = flock(lock, LOCK_SH | LOCK_NB)
        let mode = (FolderPermission(of: path)?.mode ?? 0o640) & 0o777
        try remove(copy)
        let file = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw failure("open", copy) }
        defer { close(file) }
        do throws(SystemCallError) {
            try write(original, to: file, copy)
            copyModificationTime(of: path, to: copy)
            if let reason = sync(file) {
                throw SystemCallError(call: "fsync", subject: copy, errno: reason)
            }
            // Drops the cached pages, so the comparison reads the copy from the disk.
            _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
            guard try hasSameBytes(copy, as: original) else {
                throw SystemCallError(call: "read back", subject: copy, errno: .ioError)
            }
        } catch {
            unlink(copy)
            throw error
        }
    }

    /// Returns whether a process is copying a file, or comparing the copy with the file.
    public static func isCopying(_ path: String) -> Bool {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        // An NFS client grants an exclusive lock only to a descriptor for writing (flock(2)).
        var file = open(path, O_RDWR | flags)
        if file < 0 { file = open(path, O_RDONLY | flags) }
        guard file >= 0 else { return false }
        // Closing the descriptor releases the lock immediately.
        defer { close(file) }
        guard flock(file, LOCK_EX | LOCK_NB) != 0 else { return false }
        let reason = Errno(rawValue: errno)
        return reason == .wouldBlock || reason.isNotAllowed
    }

    private static func write(
        _ original: borrowing FileReader, to file: Int32, _ copy: String
    ) throws(SystemCallError) {
        var offset: UInt64 = 0
        while offset < original.size {
            let piece = try original.read(at: offset, count: copyBytes)
            guard !piece.isEmpty else { return }
            do throws(SystemCallFailure) { try IO.writeAll(piece, to: file) } catch {
                throw failure("write", copy, error)
            }
            offset += UInt64(piece.count)
        }
    }

    private static func hasSameBytes(
        _ path: String, as original: borrowing FileReader
    ) throws(SystemCallError) -> Bool {
        let copy = try FileReader(path)
        guard copy.size == original.size else { return false }
        var offset: UInt64 = 0
        while offset < original.size {
            let piece = try original.read(at: offset, count: copyBytes)
            let other = try copy.read(at: offset, count: copyBytes)
            guard !piece.isEmpty, piece == other else { return false }
            offset += UInt64(piece.count)
        }
        return true
    }

    private static func transfer(
        _ source: Int32, _ path: String, to file: Int32, _ copy: String
    ) throws(SystemCallError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: copyBytes, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do throws(SystemCallFailure) { count = try IO.read(from: source, into: buffer) } catch {
                throw failure("read", path, error)
            }
            guard count > 0 else { return }
            do throws(SystemCallFailure) {
                try IO.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file)
            } catch { throw failure("write", copy, error) }
        }
    }
}
