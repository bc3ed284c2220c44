import Foundation
import Glibc

/// This computer's time zone, which a person or the network may change while the service runs.
///
/// Foundation reads it once. ``refresh()`` makes it read it again when it is another one.
struct HostZone {
    /// The file that names the zone, where `TZ` does not.
    static let path = "/etc/localtime"

    private let path: String
    private var known: Stamp

    /// What tells one zone file from another.
    private struct Stamp: Equatable {
        var target: String?
        var inode: ino_t = 0
        var seconds = 0
        var nanoseconds = 0

        init(_ path: String) {
            target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            var information = stat()
            guard stat(path, &information) == 0 else { return }
            inode = information.st_ino
            (seconds, nanoseconds) = (information.st_mtim.tv_sec, information.st_mtim.tv_nsec)
        }
    }

    /// - Parameter path: The file that names the zone.
    init(path: String = Self.path) {
        self.path = path
        known = Stamp(path)
    }

    /// Reads the zone again if its file is another one.
    ///
    /// - Returns: Whether it is.
    mutating func refresh() -> Bool {
        let now = Stamp(path)
        guard now != known else { return false }
        known = now
        NSTimeZone.resetSystemTimeZone()
        return true
    }
}
