import Crypto

/// The C4 id of bytes: their SHA-512 as a number in base 58, 90 characters (C4 ID system, SMPTE ST 2114). The chain names each
/// manifest by it.
enum C4ID {
    /// Base 58 without 0, O, I and l, in the order of their values.
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    /// Digits behind `c4`: what 512 bits need at most.
    private static let digits = 88

    static func text(of bytes: [UInt8]) -> String { text(ofSHA512: Array(SHA512.hash(data: bytes))) }

    /// Whether a text has the form of one.
    static func isOne(_ text: String) -> Bool {
        text.utf8.count == digits + 2 && text.hasPrefix("c4") && text.utf8.allSatisfy(alphabet.contains)
    }

    /// Of a SHA-512 that is there.
    static func text(ofSHA512 hash: [UInt8]) -> String {
        var number = hash
        var text = [UInt8](repeating: alphabet[0], count: digits)
        // Long division by 58: its remainders are the digits, the last one first.
        for place in text.indices.reversed() {
            var rest = 0
            for index in number.indices {
                let part = rest << 8 | Int(number[index])
                number[index] = UInt8(part / alphabet.count)
                rest = part % alphabet.count
            }
            text[place] = alphabet[rest]
        }
        return "c4" + String(decoding: text, as: UTF8.self)
    }
}
