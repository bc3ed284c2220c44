/// A syntax error that ends the program. The parser in TOMLKit, toml++ 3.0, does not report such an error: an
/// assertion in `parse_key` or `parse_value` fails.
///
/// The check works on bytes, because it must split lines at the same bytes as toml++.
struct TOMLSyntaxError: Hashable, Sendable {
    /// The line, from 1.
    var line: Int
    /// The problem.
    var message: String

    /// Returns the first error of this kind in a text, or `nil` if the text has no such error.
    ///
    /// If the text also has a syntax error of another kind, the result may be wrong for later lines. toml++
    /// stops at that error.
    static func first(in text: String) -> Self? {
        var open = OpenDelimiters()
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = Array(line)[...]
            if open.isEmpty, let name = header(line) {
                guard let first = name.first, isKeyStart(first) else {
                    return Self(line: index + 1, message: "a table's name belongs between the brackets")
                }
            } else if !open.scan(line) {
                return Self(line: index + 1, message: "a list that starts with '[' must end with ']'")
            }
        }
        return nil
    }

    /// Returns the text after `[` or `[[` and spaces, or `nil` if the line is not a header.
    private static func header(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = line.drop(while: isSpace)
        guard rest.first == UInt8(ascii: "[") else { return nil }
        rest = rest.dropFirst().drop(while: isSpace)
        if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst().drop(while: isSpace) }
        return rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Returns whether a key may start with the byte: a letter, digit, `-`, `_` or quote. Accepts `]`,
    /// because toml++ reports a missing name.
    private static func isKeyStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_\"']".utf8.contains(byte)
        }
    }
}

/// The strings and brackets that are open at the end of a line.
private struct OpenDelimiters {
    private var quote: [UInt8] = []
    private var brackets: [UInt8] = []

    var isEmpty: Bool { quote.isEmpty && brackets.isEmpty }

    /// Scans the next line.
    ///
    /// - Returns: `false` if a brace closes a list.
    mutating func scan(_ line: ArraySlice<UInt8>) -> Bool {
        var rest = line
        while let byte = rest.first {
            if let first = quote.first {
                if rest.starts(with: quote) {
                    rest = rest.dropFirst(quote.count)
                    quote = []
                } else {
                    let isEscape = byte == UInt8(ascii: "\\") && first == UInt8(ascii: "\"")
                    rest = rest.dropFirst(isEscape ? 2 : 1)
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "#"): return true
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let triple = [byte, byte, byte]
                quote = rest.starts(with: triple) ? triple : [byte]
                rest = rest.dropFirst(quote.count - 1)
            case UInt8(ascii: "["), UInt8(ascii: "{"): brackets.append(byte)
            case UInt8(ascii: "}") where brackets.last == UInt8(ascii: "["): return false
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = brackets.popLast()
            default: break
            }
            rest = rest.dropFirst()
        }
        // A single-line string ends with its line.
        if quote.count == 1 { quote = [] }
        return true
    }
}
