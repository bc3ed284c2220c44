import Glibc

/// A file that a person names on the command line.
enum GivenFile {
    /// What is in it, and no more of it than one byte too many: a device or a movie that was named by mistake has no end, or a
    /// far one.
    ///
    /// - Returns: `nil` when it cannot be read.
    static func bytes(_ path: String, most: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= most {
            let count = read(file, &piece, min(piece.count, most + 1 - bytes.count))
            guard count >= 0 || errno == EINTR else { return nil }
            guard count != 0 else { break }
            bytes += piece.prefix(max(0, count))
        }
        return bytes
    }
}
