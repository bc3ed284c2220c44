/// The string literals of a Swift source, as far as texts for people need them.
public struct SwiftLiteral: Hashable, Sendable {
    /// What it says, as a message's key: an interpolation is `{1}`, a brace of the text is doubled.
    public var key: String
    /// The line on which it begins, from 1.
    public var line: Int
    /// Where it begins and ends in the source's characters.
    public var range: Range<Int>
    /// How many interpolations it has.
    public var arguments: Int

    /// The text without what is filled in, and with single braces.
    public var words: String {
        var words = key
        for number in 1...max(arguments, 1) { words = words.replacing("{\(number)}", with: "") }
        return words.replacing("{{", with: "{").replacing("}}", with: "}")
    }
}

/// Reads literals out of a source.
public struct SwiftLiterals: Sendable {
    /// The source's characters.
    public let source: [Character]
    /// All literals that are not in an interpolation of another, in order.
    public private(set) var all: [SwiftLiteral] = []
    private var line = 1
    private var at = 0

    /// Reads a source.
    public init(_ text: String) {
        source = Array(text)
        while at < source.count {
            switch source[at] {
            case "/" where starts("//"):
                while at < source.count, !source[at].isNewline { at += 1 }
            case "#" where starts("#\""):
                while at < source.count, !starts("\"#") { step() }
                at += 2
            case "\"": all.append(literal())
            default: step()
            }
        }
    }

    private func starts(_ text: String) -> Bool {
        let text = Array(text)
        return at + text.count <= source.count && Array(source[at..<(at + text.count)]) == text
    }

    private mutating func step() {
        if source[at].isNewline { line += 1 }
        at += 1
    }

    private mutating func literal() -> SwiftLiteral {
        var literal = SwiftLiteral(key: "", line: line, range: at..<at, arguments: 0)
        let isLong = starts("\"\"\"")
        at += isLong ? 3 : 1
        var text = ""
        while at < source.count, source[at] != "\"" || (isLong && !starts("\"\"\"")) {
            guard source[at] == "\\" else {
                text +=
                    source[at] == "{" || source[at] == "}" ? "\(source[at])\(source[at])" : "\(source[at])"
                step()
                continue
            }
            at += 1
            switch source[at] {
            case "(":
                literal.arguments += 1
                text += "{\(literal.arguments)}"
                parentheses()
            case "n":
                text += "\n"
                at += 1
            case "t":
                text += "\t"
                at += 1
            case "u":
                let digits = source[(at + 2)...].prefix { $0 != "}" }
                text += UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init).map { "\($0)" } ?? ""
                at += digits.count + 3
            // A line that goes on in the next.
            case let next where next.isNewline:
                text += "\u{0}"
                step()
            default:
                text += "\(source[at])"
                at += 1
            }
        }
        at += isLong ? 3 : 1
        literal.key = isLong ? Self.unindented(text) : text
        literal.range = literal.range.lowerBound..<at
        return literal
    }

    /// Without the indentation of its last line, and without its first and last line break.
    private static func unindented(_ text: String) -> String {
        var lines = text.replacing("\u{0}", with: "\u{0}\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        let indent = lines.removeLast().count
        lines.removeFirst()
        return lines.map { String($0.dropFirst(min(indent, $0.prefix { $0 == " " }.count))) }.joined(
            separator: "\n"
        )
        .replacing("\u{0}\n", with: "")
    }

    private mutating func parentheses() {
        var depth = 0
        repeat {
            if source[at] == "\"" {
                _ = literal()
                continue
            }
            if source[at] == "(" { depth += 1 }
            if source[at] == ")" { depth -= 1 }
            step()
        } while depth > 0 && at < source.count
    }

    // MARK: calls

    /// The ranges of all calls of a function, with its name and parentheses.
    public func calls(_ name: String) -> [Range<Int>] {
        let word = Array(name + "(")
        var calls: [Range<Int>] = []
        var index = 0
        var literals = all[...]
        while index + word.count <= source.count {
            if let first = literals.first, first.range.lowerBound <= index {
                index = max(index, first.range.upperBound)
                literals = literals.dropFirst()
                continue
            }
            let isWord =
                source[index] == word[0] && Array(source[index..<(index + word.count)]) == word
                && (index == 0 || !(source[index - 1].isLetter || source[index - 1] == "_"))
            if isWord { calls.append(index..<end(of: index + word.count - 1, "(", ")")) }
            index += 1
        }
        return calls
    }

    /// The ranges of what stands between braces behind a declaration whose first line matches.
    public func bodies(_ isHead: (String) -> Bool) -> [Range<Int>] {
        var bodies: [Range<Int>] = []
        var start = 0
        for line in String(source).split(separator: "\n", omittingEmptySubsequences: false) {
            if isHead(String(line)), let brace = source[start...].firstIndex(of: "{") {
                bodies.append(start..<end(of: brace, "{", "}"))
            }
            start += line.count + 1
        }
        return bodies
    }

    /// Where what opens at an index is closed, outside literals.
    private func end(of open: Int, _ opening: Character, _ closing: Character) -> Int {
        var (index, depth) = (open, 0)
        var literals = all.drop { $0.range.lowerBound < open }
        while index < source.count {
            if let first = literals.first, first.range.lowerBound == index {
                index = first.range.upperBound
                literals = literals.dropFirst()
                continue
            }
            if source[index] == opening { depth += 1 }
            if source[index] == closing { depth -= 1 }
            index += 1
            if depth == 0 { break }
        }
        return index
    }
}
