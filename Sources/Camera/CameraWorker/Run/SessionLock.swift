import Glibc

/// A lock for a network camera. Only one worker at a time may be connected to it.
///
/// A worker whose daemon was killed still closes its shutter at the ordered time. Many cameras accept a
/// second network connection, over which the next worker would close the shutter too early. For a USB camera,
/// the kernel allows only one process. The kernel releases the lock when the process ends, also after a
/// crash.
struct SessionLock {
    private var ports: Set<String> = []

    /// Acquires the lock of a port until the process ends, unless another process has it.
    ///
    /// - Parameter port: The libgphoto2 port path.
    /// - Returns: Whether this process has the lock. Also `true` if the lock file can't be created, for
    ///   example on a full disk: the camera is then served without a lock.
    mutating func acquire(_ port: String) -> Bool {
        guard port.hasPrefix("ptpip:"), !ports.contains(port) else { return true }
        // Two cameras may share a home, but never an address.
        let name = String(port.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        let path = WorkerOptions.home + "/session-\(name).lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return true }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // Closing any descriptor of the file would release the lock, so this one stays open.
        guard fcntl(descriptor, F_SETLK, &lock) < 0, errno == EAGAIN else {
            ports.insert(port)
            return true
        }
        close(descriptor)
        return false
    }
}
