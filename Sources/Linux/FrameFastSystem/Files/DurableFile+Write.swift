import Glibc

extension DurableFile {
    /// Creates a small file and forces its bytes to the disk. Fails if the file exists. The name is durable
    /// after its folder is synced. After a failure no part of the file remains.
    public static func write(_ bytes: [UInt8], new path: String, mode: UInt32 = 0o644) throws(SystemCallError)
    {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        do throws(SystemCallError) { try write(bytes, to: file, path) } catch {
            unlink(path)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(SystemCallError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            rest = rest.dropFirst(count)
        }
        if let reason = FileSync.force(file) {
            throw SystemCallError(call: "fsync", subject: path, errno: reason)
        }
    }
}
