import Glibc
import SystemIO
import SystemPackage

/// A reader for ranges of one open file.
public struct FileReader: ~Copyable, Sendable {
    private let descriptor: Int32
    private let path: String
    /// The size when the file was opened, in bytes.
    public let size: UInt64
    /// The modification time when the file was opened, in whole seconds since 1970.
    public let modifiedAt: Int64

    /// Opens a regular file for reading. Does not follow symbolic links, and does not wait for the writer of
    /// a named pipe.
    ///
    /// - Throws: `isDirectory` for a folder, `invalidArgument` for any other object that is not a regular
    ///   file, or the error of the failed system call.
    public init(_ path: String) throws(SystemCallError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw DurableFile.failure("open", path) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            let failure = DurableFile.failure("stat", path)
            close(descriptor)
            throw failure
        }
        let kind = information.st_mode & S_IFMT
        guard kind == S_IFREG else {
            close(descriptor)
            throw SystemCallError(
                call: "read", subject: path, errno: kind == S_IFDIR ? .isDirectory : .invalidArgument)
        }
        self.descriptor = descriptor
        self.path = path
        self.size = UInt64(max(information.st_size, 0))
        self.modifiedAt = Int64(information.st_mtim.tv_sec)
    }

    deinit { close(descriptor) }

    /// Returns `count` bytes from `offset`, or fewer at the end of the file.
    public func read(at offset: UInt64, count: Int) throws(SystemCallError) -> [UInt8] {
        var failure: SystemCallError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemCallError) {
                filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads bytes from `offset` into `buffer`.
    ///
    /// - Returns: The number of bytes read, which is less than the buffer's size at the end of the file.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError)
        -> Int
    {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let got: Int
            do throws(SystemCallFailure) {
                got = try IO.read(from: descriptor, at: offset + UInt64(filled), into: rest)
            } catch { throw DurableFile.failure("read", path, error) }
            guard got > 0 else { break }
            filled += got
        }
        return filled
    }
}
