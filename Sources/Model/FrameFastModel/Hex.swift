/// Conversion between bytes or numbers and hexadecimal digits, in lower case.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns two digits for each byte.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns all digits of a number with leading zeros, for example four for a `UInt16`.
    public static func text(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }

    /// Parses an even number of hexadecimal digits, in either case, or returns `nil` for other text.
    public static func bytes(_ text: String) -> [UInt8]? {
        let nibbles = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard nibbles.count == text.utf8.count, nibbles.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
