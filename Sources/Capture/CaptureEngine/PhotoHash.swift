import Crypto
import FrameFastModel
import FrameFastSystem

/// The SHA-256 of a photo's bytes, in the format of worker messages and the ledger.
enum PhotoHash {
    /// The number of bytes that are read at a time.
    private static let pieceBytes = 1 << 20

    /// Returns the SHA-256 of a whole file, in lowercase hexadecimal.
    ///
    /// - Parameter onPiece: Called after each piece with its number of bytes.
    static func sha256(
        of file: borrowing FileReader, onPiece: (_ bytes: Int) -> Void = { _ in }
    ) throws(SystemCallError) -> String {
        var hash = SHA256()
        var offset: UInt64 = 0
        while true {
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { break }
            hash.update(data: piece)
            offset += UInt64(piece.count)
            onPiece(piece.count)
        }
        return Hex.text(hash.finalize())
    }
}
