/// Strict percent-encoding (RFC 3986): all but the unreserved characters, upper-case, of the UTF-8 bytes.
///
/// S3 signs exactly this form; other servers take it too (`+`, `=` and parentheses left as they are do not survive).
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes one part of a path, or a query's name or value.
    static func part(_ text: String) -> String { encode(text, slashStays: false) }

    /// Encodes a relative path: slashes stay.
    static func path(_ text: String) -> String { encode(text, slashStays: true) }

    private static func encode(_ text: String, slashStays: Bool) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                out.append(byte)
            case UInt8(ascii: "/") where slashStays: out.append(byte)
            default: out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
