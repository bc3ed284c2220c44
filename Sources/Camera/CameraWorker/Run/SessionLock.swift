import Glibc

/// A lock on the worker's home: one worker at a time has a session with a camera.
///
/// A worker whose daemon was killed closes its shutter at the ordered time. Many cameras take a second session over the
/// network, and the next worker would close the shutter too early. The kernel releases the lock when the process ends, however
/// it ends.
enum SessionLock {
    /// Takes the lock for the rest of this process' life, if no other process has it.
    ///
    /// - Returns: whether this process has it. Where a lock can't be taken at all (a full disk), the camera is served without.
    static func take() -> Bool {
        let path = WorkerPlace.home + "/session.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return true }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // Closing any descriptor of the file would release the lock: this one stays open with it.
        guard fcntl(descriptor, F_SETLK, &lock) < 0, errno == EAGAIN else { return true }
        close(descriptor)
        return false
    }
}
