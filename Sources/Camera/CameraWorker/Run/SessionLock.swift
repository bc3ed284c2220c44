import Glibc

/// A lock for a camera on the network: one worker at a time has a session with it.
///
/// A worker whose daemon was killed closes its shutter at the ordered time. Many cameras take a second session over the
/// network, and the next worker would close the shutter too early. The kernel gives a camera on USB to one process. It releases
/// the lock when the process ends, however it ends.
struct SessionLock {
    private var ports: Set<String> = []

    /// Acquires the lock of a port for the rest of this process' life, if no other process has it.
    ///
    /// - Parameter port: The libgphoto2 port path.
    /// - Returns: whether this process has it. Where a lock can't be acquired at all (a full disk), the camera is served without.
    mutating func acquire(_ port: String) -> Bool {
        guard port.hasPrefix("ptpip:"), !ports.contains(port) else { return true }
        // Two cameras may have the same home, and never the same address.
        let name = String(port.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        let path = WorkerPlace.home + "/session-\(name).lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return true }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // Closing any descriptor of the file would release the lock: this one stays open with it.
        guard fcntl(descriptor, F_SETLK, &lock) < 0, errno == EAGAIN else {
            ports.insert(port)
            return true
        }
        close(descriptor)
        return false
    }
}
