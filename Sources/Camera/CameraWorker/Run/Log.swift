import Glibc

/// Lines for the daemon's log, on descriptor 2.
enum Log {
    /// Writes one line. What comes from a camera may hold anything, so control characters are shown as `?`.
    static func line(_ words: String) {
        var bytes = words.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }
        bytes.append(UInt8(ascii: "\n"))
        _ = write(2, bytes, bytes.count)
    }
}
