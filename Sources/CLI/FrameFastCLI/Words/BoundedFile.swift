import Glibc
import SystemIO

/// Reads files that are named on the command line, up to a size limit. Without the limit, a device or a movie
/// could fill the memory.
enum BoundedFile {
    /// Reads a file.
    ///
    /// - Parameter limit: The largest size of the file, in bytes.
    /// - Returns: The bytes, or `nil` if the file is longer or cannot be read.
    static func bytes(_ path: String, limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            guard let count = try? IO.read(from: file, into: &chunk) else { return nil }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
        }
        return nil
    }
}
