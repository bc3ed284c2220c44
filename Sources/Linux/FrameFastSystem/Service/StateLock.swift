import Glibc
import SystemPackage

/// A lock that reserves a state directory for one process. The kernel releases the lock when the process
/// ends, even after a crash.
public struct StateLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Acquires the lock of the file at `path`, and creates the file if it is missing. Does not wait.
    ///
    /// - Returns: The lock, or `nil` if another process holds it.
    public static func acquire(_ path: String) throws(SystemCallError) -> StateLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw DurableFile.failure("open", path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return StateLock(descriptor: descriptor) }
        let failure = DurableFile.failure("lock", path)
        close(descriptor)
        if failure.errno == .wouldBlock { return nil }
        throw failure
    }

    /// Returns whether a process holds the lock of the file at `path`. Does not create the file. Also returns
    /// `true` if the lock cannot be tested, for example without permission.
    public static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return !DurableFile.failure("open", path).isPathMissing }
        defer { close(descriptor) }
        // Closing the descriptor releases the shared lock immediately. A service that starts at this moment
        // may find the file locked, and tries again.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// Returns whether the locked file is still at `path`. Returns `false` if the folder was moved.
    public func isStill(at path: String) -> Bool {
        var held = stat()
        return fstat(descriptor, &held) == 0 && DurableFile.Identity(held) == DurableFile.identity(of: path)
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
