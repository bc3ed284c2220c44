/// A text from a camera: UTF-16 units, which may be invalid Unicode.
public struct CameraText: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The maximum length of a PTP string, in units. Its length byte includes the final NUL (PIMA 15740,
    /// 5.3.1.6).
    static let unitsMax = 254

    /// The UTF-16 units, without the final NUL.
    var units: [UInt16]

    /// Creates a text from raw units, for names that a `String` cannot represent.
    init(units: [UInt16]) { self.units = units }

    init(_ string: String) { units = Array(string.utf16) }

    /// Creates a text from a string literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// Parses a text with the escapes `\n`, `\r`, `\t`, `\\` and `\uXXXX` (one unit, which may be a lone
    /// surrogate).
    public init(escaped: String) {
        var units: [UInt16] = []
        var rest = Array(escaped.utf16)[...]
        while let unit = rest.popFirst() {
            guard unit == UInt16(UInt8(ascii: "\\")), let kind = rest.popFirst() else {
                units.append(unit)
                continue
            }
            switch kind {
            case UInt16(UInt8(ascii: "n")): units.append(10)
            case UInt16(UInt8(ascii: "r")): units.append(13)
            case UInt16(UInt8(ascii: "t")): units.append(9)
            case UInt16(UInt8(ascii: "u")):
                let digits = String(decoding: rest.prefix(4), as: UTF16.self)
                if digits.utf16.count == 4, let value = UInt16(digits, radix: 16) {
                    units.append(value)
                    rest = rest.dropFirst(4)
                } else {
                    units += [unit, kind]
                }
            default: units.append(kind)
            }
        }
        self.units = units
    }

    /// The text as a string. Invalid units are replaced by U+FFFD.
    var string: String { String(decoding: units, as: UTF16.self) }

    /// The text as a JSON string literal that preserves all units, including lone surrogates.
    var json: String {
        var out = "\""
        for unit in units {
            switch unit {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x20..<0x7F: out.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return out + "\""
    }
}
