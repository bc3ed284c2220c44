/// Percent-encoding of URLs (RFC 3986, 2.1). Encodes the bytes of UTF-8 with upper-case digits.
///
/// Only unreserved characters, and the slashes of paths, stay unencoded, as the signature of S3 requires.
/// Some servers misinterpret unencoded `+`, `=` and parentheses.
public enum PercentCoding {
    /// A set of characters that are not encoded.
    public struct UnencodedCharacters: Sendable {
        let others: [UInt8]

        /// The unreserved characters of RFC 3986, 2.3. Used for path components, and for names and values of
        /// query items.
        public static let unreserved = UnencodedCharacters(others: [])
        /// The unreserved characters and the slash. Used for relative paths.
        public static let path = UnencodedCharacters(others: [UInt8(ascii: "/")])

        func contains(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                true
            default: others.contains(byte)
            }
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Percent-encodes all characters except those in `kept`.
    public static func encode(_ text: String, keeping kept: UnencodedCharacters = .unreserved) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes percent-encoded text.
    ///
    /// - Returns: The text, or `nil` if an escape is incomplete or not hexadecimal, or if the result is not
    ///   UTF-8.
    public static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(nibble), let low = rest.popFirst().flatMap(nibble) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
