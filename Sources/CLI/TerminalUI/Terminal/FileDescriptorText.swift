import Glibc
import SystemIO

/// Writes text and bytes to a file descriptor, without a buffer.
public enum FileDescriptorText {
    /// Writes a text completely. Ignores errors, for example after the reader closed the pipe.
    public static func write(_ text: String, to descriptor: Int32) {
        _ = write(Array(text.utf8), to: descriptor)
    }

    /// Writes bytes completely. Waits for a slow reader, also if another program has made the descriptor
    /// non-blocking (dotnet/corefx #23539).
    ///
    /// - Returns: Whether all bytes were written. If not, `errno` has the reason.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        do throws(SystemCallFailure) {
            try IO.writeAll(bytes, to: descriptor, waitsUntilWritable: true)
        } catch {
            errno = error.number
            return false
        }
        return true
    }
}
