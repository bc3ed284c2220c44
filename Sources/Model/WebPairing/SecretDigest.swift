import Crypto
import FoundationEssentials

/// The SHA-256 hash of a secret. The service stores and looks up only this hash.
///
/// The time of a lookup depends on the hash and not on the secret. The time therefore does not reveal how
/// many characters of a guess are right.
public struct SecretDigest: Hashable, Sendable {
    /// The number of bytes of a hash.
    private static let count = 32

    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Computes the hash of a secret.
    public init(of secret: String) { bytes = Array(SHA256.hash(data: Array(secret.utf8))) }

    /// Parses the 64 hexadecimal digits of a stored hash, or returns `nil` for other text.
    public init?(hex: String) {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == hex.utf8.count, digits.count == 2 * Self.count else { return nil }
        bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The hash as 64 hexadecimal digits, for the ledger.
    public var hex: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
