import Glibc

/// Keeps descriptor 0 harmless.
///
/// At the end of a PTP/IP session libgphoto2 2.5.30 closes descriptor 0: ptp_ptpip_disconnect closes a third socket,
/// `jpgfd`, that only Fuji cameras have and that nobody set to "none", so it is 0. The daemon's end must therefore
/// not be there, and 0 must never become free, or the next session's socket would get it.
enum StandardInput {
    /// Lowest number for the moved descriptor: above what the driver's own sockets will get.
    private static let movedTo: Int32 = 10

    /// Moves what the daemon passed as descriptor 0 away.
    ///
    /// - Returns: its new number.
    static func takeOver() -> Int32 {
        let moved = fcntl(0, F_DUPFD_CLOEXEC, movedTo)
        guard moved >= 0 else {
            Log.line("cannot use descriptor 0: \(String(cString: strerror(errno)))")
            _exit(WorkerExit.daemonGone)
        }
        close(0)
        plug()
        return moved
    }

    /// Fills descriptor 0 when it is free. The lowest free number is what `open` gives, so this ends at 0 or above.
    static func plug() {
        guard fcntl(0, F_GETFD) < 0 else { return }
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if null > 0 { close(null) }
    }
}
