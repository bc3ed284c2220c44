/// Numbers of bytes as people write them.
public enum ByteSizeText {
    /// Larger than any disk, small enough for arithmetic.
    public static let bytesMax: Int64 = 1 << 60

    /// Decimal, as cards, disks and cameras count: the one family that people read.
    private static let shown: [(name: String, bytes: Double)] = [
        ("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12),
    ]

    private static let units: [(name: String, bytes: Double)] = [
        ("b", 1), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12),
        ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824), ("tib", 1_099_511_627_776),
    ]

    /// Writes `212.4 GB`: decimal units, one digit behind the point, and bytes without one.
    public static func text(of bytes: Int64) -> String {
        guard let unit = shown.last(where: { Double(bytes) >= $0.bytes }), unit.bytes > 1 else {
            return "\(bytes) B"
        }
        let tenths = (Double(bytes) / unit.bytes * 10).rounded() / 10
        return "\(tenths) \(unit.name)"
    }

    /// The same for a number that has no sign.
    public static func text(of bytes: UInt64) -> String { text(of: Int64(clamping: bytes)) }

    /// Reads `2 GiB`, `500MB`, `1.5 TiB`, `4096`; `nil` when it is none of these or out of bounds.
    public static func bytes(of text: String) -> Int64? {
        guard let (number, unit) = split(text) else { return nil }
        guard let factor = unit.isEmpty ? 1 : units.first(where: { $0.name == unit.lowercased() })?.bytes
        else {
            return nil
        }
        let bytes = (number * factor).rounded()
        return bytes <= Double(bytesMax) ? Int64(bytes) : nil
    }

    /// Splits a number that is not negative from the letters after it.
    static func split(_ text: String) -> (number: Double, unit: String)? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text[digits.endIndex...].drop { $0 == " " }
        guard let number = Double(digits), number.isFinite, unit.allSatisfy({ $0.isASCII && $0.isLetter })
        else {
            return nil
        }
        return (number, String(unit))
    }
}
