/// Bytes as hexadecimal text.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Lower-case.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Bytes of a text with an even number of hexadecimal digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let nibbles = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard nibbles.count == text.utf8.count, nibbles.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
