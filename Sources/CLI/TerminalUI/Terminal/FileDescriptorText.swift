import Glibc

/// Writes text and bytes to a file descriptor, without a buffer.
public enum FileDescriptorText {
    /// Writes a text completely. Ignores errors, for example after the reader closed the pipe.
    public static func write(_ text: String, to descriptor: Int32) {
        _ = write(Array(text.utf8), to: descriptor)
    }

    /// Writes bytes completely.
    ///
    /// - Returns: Whether all bytes were written. If not, `errno` has the reason.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
