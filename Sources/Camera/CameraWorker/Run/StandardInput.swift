import Glibc

/// Protects descriptor 0.
///
/// At the end of a PTP/IP session, libgphoto2 2.5.30 closes descriptor 0. ptp_ptpip_disconnect closes a third
/// socket, `jpgfd`, which only Fuji cameras have. It is never initialized to "none", so it is 0. Therefore
/// the daemon's socket must not be on descriptor 0, and 0 must never become free, or the next connection's
/// socket would get it.
enum StandardInput {
    /// The lowest number for the moved descriptor, above those of the driver's own sockets.
    private static let movedTo: Int32 = 10

    /// Moves the daemon's socket away from descriptor 0.
    ///
    /// - Returns: The new descriptor.
    static func moveAway() -> Int32 {
        let moved = fcntl(0, F_DUPFD_CLOEXEC, movedTo)
        guard moved >= 0 else {
            Log.line("cannot use descriptor 0: \(String(cString: strerror(errno)))")
            _exit(WorkerExit.daemonGone)
        }
        close(0)
        occupy()
        return moved
    }

    /// Opens `/dev/null` on descriptor 0 if it is free. `open` returns the lowest free number, so a higher
    /// descriptor is closed again.
    static func occupy() {
        guard fcntl(0, F_GETFD) < 0 else { return }
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if null > 0 { close(null) }
    }
}
