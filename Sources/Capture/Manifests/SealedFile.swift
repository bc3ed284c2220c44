import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import SystemPackage
import XXHash

/// Reading a file for its hashes.
enum SealedFile {
    /// Bytes that are read at a time.
    private static let pieceBytes = 1 << 20

    /// When a regular file was changed last; `nil` when there is none under the name.
    static func modified(_ path: String) -> Date? {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = information.st_mtim
        return Date(timeIntervalSince1970: Double(time.tv_sec))
    }

    /// XXH128 of a whole file, and its SHA-256 where that is asked for; both in lower-case hex.
    ///
    /// - Parameters:
    ///   - other: One more hash from the same reading.
    ///   - onPiece: Told the bytes of each piece; the reading ends when it says `false`.
    /// - Returns: `nil` when it was ended.
    static func hash(
        _ path: String, withSHA256: Bool = false, other: GrowingHash? = nil,
        onPiece: (Int) -> Bool = { _ in true }
    ) throws(SystemCallError) -> (xxh128: String, sha256: String)? {
        let file = try FileReader(path)
        var fast = XXH128()
        var strong = SHA256()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 64)
        defer { piece.deallocate() }
        var offset: UInt64 = 0
        while true {
            let count = try file.read(at: offset, into: piece)
            guard count > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
            fast.update(bytes)
            other?.update(bytes)
            if withSHA256 { strong.update(bufferPointer: bytes) }
            offset += UInt64(count)
            guard onPiece(count) else { return nil }
        }
        guard let text = fast.text() else {
            throw SystemCallError(call: "hash", subject: path, errno: .noMemory)
        }
        return (text, withSHA256 ? Hex.text(strong.finalize()) : "")
    }
}
