import Glibc

/// Text straight to a file descriptor.
public enum FileDescriptorText {
    /// Writes everything; gives up silently when the other end is gone.
    public static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
