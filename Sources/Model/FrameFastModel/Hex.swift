/// Numbers as hexadecimal digits, in lower case.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits a byte.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// All digits of a number, its zeros in front included: four of a `UInt16`.
    public static func text(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }

    /// Bytes of a text with an even number of hexadecimal digits, in either case; `nil` of any other.
    public static func bytes(_ text: String) -> [UInt8]? {
        let nibbles = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard nibbles.count == text.utf8.count, nibbles.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
