import Foundation
import Glibc

/// This computer's time zone, which a person or the network may change while the service runs.
///
/// Foundation reads the time zone once. ``refresh()`` makes Foundation read the zone again after a change.
struct HostZone {
    /// The file that sets the time zone if the environment variable `TZ` is not set.
    static let path = "/etc/localtime"

    private let path: String
    private var lastStamp: Stamp

    /// The identity of a zone file.
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

    /// Creates a value for the current time zone.
    ///
    /// - Parameter path: The file that sets the time zone.
    init(path: String = Self.path) {
        self.path = path
        lastStamp = Stamp(path)
    }

    /// Makes Foundation read the time zone again if the zone file has changed.
    ///
    /// - Returns: Whether the file has changed.
    mutating func refresh() -> Bool {
        let now = Stamp(path)
        guard now != lastStamp else { return false }
        lastStamp = now
        NSTimeZone.resetSystemTimeZone()
        return true
    }
}
