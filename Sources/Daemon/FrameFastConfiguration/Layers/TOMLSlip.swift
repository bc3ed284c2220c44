/// A slip in a TOML text that toml++ 3.0 does not report: it takes for granted that there is none (`assert` in
/// `parse_key` and `parse_value`), which ends the program.
///
/// Works on bytes, so that a line ends where toml++ ends it.
struct TOMLSlip: Hashable, Sendable {
    /// Its line, from 1.
    var line: Int
    /// What is wrong there.
    var message: String

    /// The first one in a text; `nil` when there is none.
    ///
    /// Where the text is no TOML for another reason this may be wrong, but only behind the place where toml++ stops.
    static func first(in text: String) -> Self? {
        var open = OpenParts()
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = Array(line)[...]
            if open.isNothing, let name = header(line) {
                guard let first = name.first, isKeyStart(first) else {
                    return Self(line: index + 1, message: "a table's name stands between the brackets")
                }
            } else if !open.follow(line) {
                return Self(line: index + 1, message: "a list that begins with '[' ends with ']'")
            }
        }
        return nil
    }

    /// What follows `[` or `[[` and spaces; `nil` when the line is no header.
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

    /// Letters, digits, `-`, `_` and quotes; `]` is an error that toml++ reports.
    private static func isKeyStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_\"']".utf8.contains(byte)
        }
    }
}

/// Strings and brackets that are open at the end of a line.
private struct OpenParts {
    private var quote: [UInt8] = []
    private var brackets: [UInt8] = []

    var isNothing: Bool { quote.isEmpty && brackets.isEmpty }

    /// Goes on with the next line.
    ///
    /// - Returns: `false` where a list is closed with a brace.
    mutating func follow(_ line: ArraySlice<UInt8>) -> Bool {
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
        // A plain string ends with its line.
        if quote.count == 1 { quote = [] }
        return true
    }
}
