import Glibc
import SystemIO

extension DurableFile {
    /// The size of the copy buffer, in bytes.
    private static let copyBytes = 1 << 20

    /// Replaces a file with a copy of itself. A process that has the file open continues to use the old file,
    /// which no longer has a name. This function does not sync the copy to the disk.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - copy: The temporary path of the copy, in the same folder. An existing file at this path is
    ///     removed.
    ///   - descriptor: A descriptor of the file, opened for reading, at offset 0.
    /// - Throws: The error of the failed system call. The file is then unchanged.
    public static func replaceWithCopy(
        _ path: String, by copy: String, from descriptor: Int32
    ) throws(SystemCallError) {
        try remove(copy)
        let file = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard file >= 0 else { throw failure("open", copy) }
        defer { close(file) }
        do throws(SystemCallError) {
            try transfer(descriptor, path, to: file, copy)
            try replace(path, with: copy)
        } catch {
            unlink(copy)
            throw error
        }
    }

    private static func transfer(
        _ source: Int32, _ path: String, to file: Int32, _ copy: String
    ) throws(SystemCallError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: copyBytes, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do throws(SystemCallFailure) { count = try IO.read(from: source, into: buffer) } catch {
                throw failure("read", path, error)
            }
            guard count > 0 else { return }
            do throws(SystemCallFailure) {
                try IO.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file)
            } catch { throw failure("write", copy, error) }
        }
    }
}
