/// A number of bytes, written as text: `8MB`, `512 KiB`, `64GB`, `4096`.
public struct ByteCount: Hashable, Sendable {
    /// The number of bytes.
    public let bytes: Int

    /// Creates a byte count.
    public init(bytes: Int) { self.bytes = bytes }

    /// Parses a number with an optional unit, or returns `nil` if the text is not valid. MB is 10⁶, MiB is
    /// 2²⁰.
    public init?(_ text: some StringProtocol) {
        let text = String(text.filter { $0 != " " })
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let factors: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12,
            "tb": 1e12,
            "kib": 0x1p10, "mib": 0x1p20, "gib": 0x1p30, "tib": 0x1p40,
        ]
        guard let number = Double(digits), let factor = factors[text.dropFirst(digits.count).lowercased()],
            number * factor < 1e15
        else { return nil }
        bytes = Int(number * factor)
    }
}
