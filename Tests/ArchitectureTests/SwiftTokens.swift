/// A scanner for the identifiers and the punctuation of Swift code.
///
/// The scanner skips comments and string literals, but reads the code in interpolations. The scanner returns
/// only braces, parentheses, dots and colons as punctuation. Regular expression literals are not recognized.
struct SwiftTokens {
    private static let space = UInt8(ascii: " ")
    private static let newline = UInt8(ascii: "\n")
    private static let numberSign = UInt8(ascii: "#")

    private let bytes: [UInt8]
    private var position = 0
    private var tokens: [String] = []

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the tokens of a source text, in order.
    static func tokens(of text: String) -> [String] {
        var scanner = SwiftTokens(text)
        scanner.readCode(endsAtParenthesis: false)
        return scanner.tokens
    }

    /// Whether a token is a name or a keyword.
    static func isWord(_ token: String) -> Bool { token.utf8.first.map(startsWord) ?? false }

    /// Reads code up to the end of the text, or past the parenthesis that ends an interpolation.
    private mutating func readCode(endsAtParenthesis: Bool) {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == Self.space {
                position += 1
                continue
            }
            if Self.startsWord(byte) {
                tokens.append(readWord())
                continue
            }
            switch Unicode.Scalar(byte) {
            case "0"..."9": _ = readWord()
            case "/" where has("//"): skip { $0 != Self.newline }
            case "/" where has("/*"): skipComment()
            case "\"": readString(marks: 0)
            case "#":
                let start = position
                skip { $0 == Self.numberSign }
                if has("\"") { readString(marks: position - start) }
            case "(":
                depth += 1
                append("(")
            case ")":
                if endsAtParenthesis && depth == 0 {
                    position += 1
                    return
                }
                depth -= 1
                append(")")
            case "{": append("{")
            case "}": append("}")
            case ".": append(".")
            case ":": append(":")
            default: position += 1
            }
        }
    }

    /// Appends a punctuation token of one byte, and moves past the byte.
    private mutating func append(_ mark: String) {
        tokens.append(mark)
        position += 1
    }

    private mutating func readWord() -> String {
        let start = position
        skip { Self.startsWord($0) || ($0 >= 0x30 && $0 <= 0x39) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Skips a comment, which may contain other comments.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if has("/*") {
                depth += 1
                position += 2
            } else if has("*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    /// Skips a string literal, and reads the code in its interpolations.
    ///
    /// - Parameter marks: The number of `#` before the literal.
    private mutating func readString(marks: Int) {
        let quote = has("\"\"\"") ? "\"\"\"" : "\""
        position += quote.utf8.count
        let pounds = String(repeating: "#", count: marks)
        let (end, escape) = (quote + pounds, "\\" + pounds)
        while position < bytes.count {
            if has(end) {
                position += end.utf8.count
                return
            }
            guard has(escape) else {
                position += 1
                continue
            }
            position += escape.utf8.count
            let isInterpolation = has("(")
            position += 1
            if isInterpolation { readCode(endsAtParenthesis: true) }
        }
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while position < bytes.count, condition(bytes[position]) { position += 1 }
    }

    /// Whether the text continues with a string.
    private func has(_ string: String) -> Bool {
        var index = position
        for byte in string.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// Whether a byte is an ASCII letter or an underscore.
    private static func startsWord(_ byte: UInt8) -> Bool {
        // Setting this bit turns a capital letter into a small letter.
        let small = byte | 0x20
        return (small >= 0x61 && small <= 0x7A) || byte == 0x5F
    }
}
