import Glibc

/// Keeps descriptor 0 occupied.
///
/// At the end of a PTP/IP connection, libgphoto2 2.5.30 closes descriptor 0. ptp_ptpip_disconnect closes a
/// third socket, `jpgfd`, which only Fuji cameras have. `jpgfd` is not initialized to -1, and is therefore 0
/// for other cameras. The daemon's socket must therefore not use descriptor 0. Descriptor 0 must also never
/// be free, because the socket of the next connection would get that number.
enum StandardInput {
    /// The minimum number for the moved descriptor. This number is above the numbers of the driver's own
    /// sockets.
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

    /// Opens `/dev/null` on descriptor 0 if that number is free. `open` returns the lowest free number. Any
    /// higher number means that 0 is occupied, and the new descriptor is closed.
    static func occupy() {
        guard fcntl(0, F_GETFD) < 0 else { return }
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if null > 0 { close(null) }
    }
}
