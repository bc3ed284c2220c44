import Crypto
import FrameFastModel
import FrameFastSystem

/// What a photo is known by: the SHA-256 of its bytes, as workers tell it and the ledger keeps it.
enum PhotoHash {
    /// Bytes that are read at a time.
    private static let pieceBytes = 1 << 20

    /// Reads a whole file. Lower-case hex.
    static func sha256(of file: borrowing FileReader) throws(SystemCallError) -> String {
        var hash = SHA256()
        var offset: UInt64 = 0
        while true {
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { break }
            hash.update(data: piece)
            offset += UInt64(piece.count)
        }
        return Hex.text(hash.finalize())
    }

    /// Of bytes that are in memory.
    static func sha256(of bytes: [UInt8]) -> String { Hex.text(SHA256.hash(data: bytes)) }
}
