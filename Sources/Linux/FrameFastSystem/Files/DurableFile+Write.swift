import Glibc
import SystemIO

extension DurableFile {
    /// Creates a small file and syncs its bytes to the disk. The name is durable after its folder is synced.
    ///
    /// - Throws: The error of the failed system call, for example if the file exists. A file that could not
    ///   be written completely is removed.
    public static func write(_ bytes: [UInt8], new path: String, mode: UInt32 = 0o644) throws(SystemCallError)
    {
        try SimulatedHost.willPerform(.write, path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        do throws(SystemCallError) { try write(bytes, to: file, path) } catch {
            unlink(path)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(SystemCallError) {
        do throws(SystemCallFailure) { try IO.writeAll(bytes, to: file) } catch {
            throw failure("write", path, error)
        }
        if let reason = FileSync.force(file) {
            throw SystemCallError(call: "fsync", subject: path, errno: reason)
        }
    }
}
