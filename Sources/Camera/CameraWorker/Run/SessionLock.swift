import Glibc

/// A lock that ensures that only one worker at a time is connected to a network camera.
///
/// A worker whose daemon was killed still closes the shutter at the requested time. Many cameras accept a
/// second network connection. Without the lock, the next worker would connect as well and close the shutter
/// too early. A USB camera needs no lock, because the kernel lets only one process claim the camera. The
/// kernel releases the lock when the process ends, even after a crash.
struct SessionLock {
    private var ports: Set<String> = []

    /// Acquires the lock for a port until the process ends. Fails if another process holds the lock.
    ///
    /// - Parameter port: The libgphoto2 port path.
    /// - Returns: Whether this process holds the lock. Also `true` if the lock file can't be created, for
    ///   example on a full disk. The worker then uses the camera without a lock.
    mutating func acquire(_ port: String) -> Bool {
        guard port.hasPrefix("ptpip:"), !ports.contains(port) else { return true }
        // Two cameras may share a home folder, but not a network address.
        let name = String(port.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        let path = WorkerOptions.home + "/session-\(name).lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return true }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // Keeps the descriptor open, because closing any descriptor of the file would release the lock.
        guard fcntl(descriptor, F_SETLK, &lock) < 0, errno == EAGAIN else {
            ports.insert(port)
            return true
        }
        close(descriptor)
        return false
    }
}
