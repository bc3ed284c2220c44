import Glibc
import SystemIO

extension DurableFile {
    /// The size of one copy operation, in bytes: few calls, and little memory.
    private static let copyBytes = 1 << 20

    /// Replaces a file with a copy of itself. Processes that have the file open keep the old one, which no
    /// longer has a name. The bytes are not forced to the disk.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - copy: The path of the copy while it is written, in the same folder. An existing file is removed.
    ///   - descriptor: The file, opened for reading, positioned at its start.
    /// - Throws: The failed call. The file is then unchanged.
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
