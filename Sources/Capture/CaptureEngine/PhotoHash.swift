import Crypto
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
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
