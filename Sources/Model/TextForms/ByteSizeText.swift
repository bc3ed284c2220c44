/// Conversion between a number of bytes and text such as `2 GB`.
public enum ByteSizeText {
    /// The largest number that ``bytes(of:)`` accepts, 1 EiB. This number is larger than any disk and far
    /// below the limit of `Int64`.
    public static let bytesMax: Int64 = 1 << 60

    /// The decimal units for output. Manufacturers of cards and disks also use decimal units.
    private static let decimalUnits: [(name: String, bytes: Double)] = [
        ("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12),
    ]

    private static let units: [(name: String, bytes: Double)] = [
        ("b", 1), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12),
        ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824), ("tib", 1_099_511_627_776),
    ]

    /// Returns text such as `212.4 GB`: decimal units with one decimal place, or whole bytes below 1 kB.
    public static func text(of bytes: Int64) -> String {
        // 999,950 bytes are rounded to the next unit, 1.0 MB.
        guard
            let unit = decimalUnits.last(where: { (Double(bytes) / $0.bytes * 10_000).rounded() >= 10_000 }),
            bytes >= 1_000
        else {
            return "\(bytes) B"
        }
        let tenths = (Double(bytes) / unit.bytes * 10).rounded() / 10
        return "\(tenths) \(unit.name)"
    }

    /// Returns text such as `212.4 GB` for an unsigned number.
    public static func text(of bytes: UInt64) -> String { text(of: Int64(clamping: bytes)) }

    /// Parses text such as `2 GiB`, `500MB`, `1.5 TiB` or `4096`.
    ///
    /// - Returns: The number of bytes, or `nil` if the text is not a size or is larger than ``bytesMax``.
    public static func bytes(of text: String) -> Int64? {
        guard let (number, unit) = split(text) else { return nil }
        guard let factor = unit.isEmpty ? 1 : units.first(where: { $0.name == unit.lowercased() })?.bytes
        else {
            return nil
        }
        let bytes = (number * factor).rounded()
        return bytes <= Double(bytesMax) ? Int64(bytes) : nil
    }

    /// Splits text into a non-negative number and the letters after it.
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
