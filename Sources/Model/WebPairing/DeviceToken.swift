/// The secret of a paired device, which its browser sends as a cookie: 256 random bits in 64 hexadecimal
/// digits.
public struct DeviceToken: Hashable, Sendable {
    /// The number of digits.
    public static let length = 64
    private static let digits = Set("0123456789abcdef".utf8)

    /// The digits, in lower case.
    public let text: String

    /// Creates a token.
    ///
    /// - Parameter randomBits: Returns 64 random bits of a cryptographic source. Called four times.
    public init(randomBits: () -> UInt64) {
        text = (0..<4).map { _ in
            let digits = String(randomBits(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Parses the value of a cookie, or returns `nil` if the value is not a token.
    public init?(_ text: String) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.digits.contains) else { return nil }
        self.text = text
    }

    /// The hash that the ledger stores, and under which the service finds the device.
    public var digest: SecretDigest { SecretDigest(of: text) }
}
