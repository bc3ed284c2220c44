/// A parser for dial settings in text form.
enum DialText {
    /// The range of exposure times, apertures and film speeds. Numbers outside this range are rejected.
    private static let range = 1e-6...1e7
    private static let stops = -30.0...30.0

    /// Parses a number or a quotient. Returns `nil` if the result is outside `range`.
    static func number(_ word: String) -> Double? {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        let value =
            switch parts.count {
            case 1: parts[0]
            case 2: parts[0].flatMap { top in parts[1].map { top / $0 } }
            default: Double?.none
            }
        return value.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Parses a number or a quotient with an optional minus sign, or 0.
    static func signed(_ word: String) -> Double? {
        if word == "0" { return 0 }
        let value = word.hasPrefix("-") ? number(String(word.dropFirst())).map(-) : number(word)
        return value.flatMap { stops.contains($0) ? $0 : nil }
    }

    /// Parses a mode or an aperture for the standard's properties, or a property code and a value.
    static func standard(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        switch name {
        case "mode": ["M": 1, "P": 2, "A": 3, "S": 4][word].map { (StandardProperty.exposureMode, $0) }
        case "aperture": number(word).map { (StandardProperty.fNumber, UInt32(($0 * 100).rounded())) }
        default: raw(name, word)
        }
    }

    /// Parses a hexadecimal property code and a decimal value, for example `d106` and `4`.
    static func raw(_ name: String, _ word: String) -> (code: UInt16, value: UInt32)? {
        UInt16(name, radix: 16).flatMap { code in UInt32(word).map { (code, $0) } }
    }
}
