import Crypto
import Foundation
import Glibc

/// A movie that takes no room: holes, with a mark of its own at each MiB, in one box that ends with the file.
public final class SparseMovie: Sendable {
    /// Where it lies, alone.
    public let folder: ScratchFolder
    /// Its size.
    public let bytes: UInt64
    private let path: String

    /// Makes a movie of this size in bytes, which is at least some MiB.
    public init(bytes: UInt64, name: String = "MVI_1.MOV") throws {
        folder = try ScratchFolder()
        self.bytes = bytes
        path = folder.path(name)
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0, ftruncate(file, off_t(bytes)) == 0 else {
            throw Impatience(description: "cannot make a file of \(bytes) bytes")
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

    /// SHA-256 of its bytes, lower-case hex.
    public func sha256() throws -> String { try Self.sha256(ofFile: path) }

    /// SHA-256 of a file of any size, lower-case hex; a few MiB of it are in memory at a time.
    public static func sha256(ofFile path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        var hash = SHA256()
        while let piece = try file.read(upToCount: 4 << 20), !piece.isEmpty { hash.update(data: piece) }
        return hash.finalize().map { String(format: "%02x", $0) }.joined()
    }
}
