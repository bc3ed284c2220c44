import Glibc

/// Writes lines for the daemon's log to descriptor 2.
enum Log {
    /// Writes one line. Replaces control characters with `?`, because the text may come from a camera.
    static func line(_ words: String) {
        var bytes = words.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }
        bytes.append(UInt8(ascii: "\n"))
        _ = write(2, bytes, bytes.count)
    }
}
