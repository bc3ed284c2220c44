import Crypto
import Foundation
import Glibc

/// A sparse movie file that occupies almost no disk space.
///
/// One box extends to the end of the file and contains a unique mark at each MiB.
public final class SparseMovie: Sendable {
    /// The folder that contains only the movie.
    public let folder: ScratchFolder
    /// The size of the movie, in bytes.
    public let bytes: UInt64
    private let path: String

    /// Creates a movie of this size in bytes, which must be several MiB.
    public init(bytes: UInt64, name: String = "MVI_1.MOV") throws {
        folder = try ScratchFolder()
        self.bytes = bytes
        path = folder.path(name)
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0, ftruncate(file, off_t(bytes)) == 0 else {
            throw WaitTimeout(description: "cannot make a file of \(bytes) bytes")
        }
        defer { close(file) }
        func put(_ value: UInt64, at offset: UInt64) {
            withUnsafeBytes(of: value.bigEndian) { _ = pwrite(file, $0.baseAddress, 8, off_t(offset)) }
        }
        for offset in stride(from: UInt64(1 << 20), to: bytes - 8, by: 1 << 20) { put(offset, at: offset) }
        let head: [UInt8] =
            [0, 0, 0, 16] + Array("ftypqt  ".utf8) + [0, 0, 0, 0] + [0, 0, 0, 1] + Array("mdat".utf8)
        _ = pwrite(file, head, head.count, 0)
        put(bytes - 16, at: UInt64(head.count))
    }

    /// Returns the SHA-256 of the movie in lower-case hexadecimal.
    public func sha256() throws -> String { try Self.sha256(ofFile: path) }

    /// Returns the SHA-256 of a file of any size in lower-case hexadecimal, reading a few MiB at a time.
    public static func sha256(ofFile path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        var hash = SHA256()
        while let piece = try file.read(upToCount: 4 << 20), !piece.isEmpty { hash.update(data: piece) }
        return hash.finalize().map { String(format: "%02x", $0) }.joined()
    }
}
