/// Removes comments and spaces from a style sheet or a JavaScript module, and writes keywords in a shorter
/// form. String literals and regular expressions stay unchanged. Line breaks stay where JavaScript may need
/// them.
///
/// Each statement of a module must end with a semicolon or a block.
struct AssetCompactor {
    /// The language of a file.
    enum Language {
        /// A JavaScript module.
        case module
        /// A style sheet.
        case styleSheet
    }

    /// The space before the next token.
    private enum Gap { case none, space, lineBreak }

    /// The kind of a statement. A block ends its statement, for example the body of a function.
    private enum Statement { case start, declaration, block, other }

    private let source: [UInt8]
    private let language: Language
    private var index = 0
    private var output: [UInt8] = []
    private var gap = Gap.none
    /// The current statement outside all brackets, then the current statement in each open bracket.
    private var statements = [Statement.start]

    private init(_ source: [UInt8], _ language: Language) {
        self.source = source
        self.language = language
    }

    /// Returns the file without comments and unnecessary spaces.
    static func compacted(_ source: [UInt8], _ language: Language) -> [UInt8] {
        var compactor = AssetCompactor(source, language)
        compactor.copyAll()
        return compactor.output
    }

    private mutating func copyAll() {
        while let byte = byte(at: index) {
            let next = self.byte(at: index + 1)
            switch Character(UnicodeScalar(byte)) {
            case " ", "\t", "\r": skipSpace(.space)
            case "\n": skipSpace(.lineBreak)
            case "/" where next == UInt8(ascii: "*"): skipComment()
            case "/" where language == .module && next == UInt8(ascii: "/"): skipLine()
            case "'", "\"": copy(to: endOfText(from: index))
            case "`" where language == .module: copyTemplate()
            case "/" where language == .module && isAtExpression: copy(to: endOfPattern(from: index))
            case "=" where language == .module && next == UInt8(ascii: ">"):
                removeParentheses()
                copy(to: index + 2)
            default: if language == .module, Self.isWord(byte) { copyWord() } else { copySign(byte) }
            }
        }
    }

    // MARK: Spaces

    private mutating func skipSpace(_ kind: Gap) {
        if gap != .lineBreak { gap = kind }
        index += 1
    }

    private mutating func skipLine() {
        while let byte = byte(at: index), byte != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func skipComment() {
        index += 2
        while index < source.count,
            byte(at: index) != UInt8(ascii: "*") || byte(at: index + 1) != UInt8(ascii: "/")
        {
            index += 1
        }
        index = min(index + 2, source.count)
        if gap == .none { gap = .space }
    }

    /// Copies a token, or writes its shorter form.
    private mutating func copy(to end: Int, as form: [UInt8]? = nil) {
        let token = form ?? Array(source[index..<end])
        if let last = output.last, let first = token.first {
            if last == UInt8(ascii: ";") { statement = .start }
            if first == UInt8(ascii: "}"), last == UInt8(ascii: ";") {
                output.removeLast()
            } else if language == .module, last == UInt8(ascii: ","), Self.contains("}])", first) {
                output.removeLast()
            } else if gap != .none, let separator = separator(last, first) {
                let isAfterBlock = statement == .block && last == UInt8(ascii: "}")
                if separator == UInt8(ascii: "\n") { statement = .start }
                if !isAfterBlock || separator != UInt8(ascii: "\n") { output.append(separator) }
            }
        }
        gap = .none
        output += token
        index = end
    }

    /// Copies a punctuation mark, and tracks open brackets.
    private mutating func copySign(_ byte: UInt8) {
        copy(to: index + 1)
        if Self.contains("})]", byte) {
            if statements.count > 1 { statements.removeLast() }
        } else if statement == .start, byte != UInt8(ascii: ";") {
            statement = .other
        }
        if Self.contains("{([", byte) { statements.append(.start) }
    }

    /// The current statement in the innermost open bracket.
    private var statement: Statement {
        get { statements.last ?? .other }
        set { statements[statements.count - 1] = newValue }
    }

    /// Returns the space that is necessary between two tokens, or `nil`.
    private func separator(_ last: UInt8, _ next: UInt8) -> UInt8? {
        let (space, lineBreak) = (UInt8(ascii: " "), UInt8(ascii: "\n"))
        switch language {
        case .styleSheet:
            return Self.contains("{};,:>~", last) || Self.contains("{};,>~", next) ? nil : space
        case .module:
            // Without the space, two signs would be a different operator, such as `++`.
            let areSigns = last == next && Self.contains("+-", last)
            if areSigns || Self.isWord(last) && Self.isWord(next) {
                return gap == .lineBreak ? lineBreak : space
            }
            let isNeeded =
                gap == .lineBreak && !Self.contains(";{,([=&|?:>", last) && !Self.contains(".)]}?:&|,", next)
            return isNeeded ? lineBreak : nil
        }
    }

    // MARK: Shorter forms

    /// Copies a name, a number or a keyword. Successive declarations become one declaration.
    private mutating func copyWord() {
        var end = index
        while let byte = byte(at: end), Self.isWord(byte) { end += 1 }
        let word = String(decoding: source[index..<end], as: UTF8.self)
        switch word {
        case "const", "let":
            if statement == .declaration, output.last == UInt8(ascii: ";") {
                output[output.count - 1] = UInt8(ascii: ",")
                gap = .none
                index = end
            } else {
                copy(to: end, as: Array("let".utf8))
                statement = .declaration
            }
        case "true" where !isKey(endingAt: end): copy(to: end, as: Array("!0".utf8))
        case "false" where !isKey(endingAt: end): copy(to: end, as: Array("!1".utf8))
        default: copy(to: end)
        }
        // After `export` and `async`, the next word determines the kind of the statement.
        guard statement == .start, word != "export", word != "async" else { return }
        statement = ["function", "if", "for", "while", "try"].contains(word) ? .block : .other
    }

    /// Whether a word is the key of an object, as in `{ true: "yes" }`.
    private func isKey(endingAt end: Int) -> Bool {
        guard let last = output.last, Self.contains("{,", last) else { return false }
        var next = end
        while byte(at: next) == UInt8(ascii: " ") { next += 1 }
        return byte(at: next) == UInt8(ascii: ":")
    }

    /// Removes the parentheses of an arrow function with one parameter, before its arrow.
    private mutating func removeParentheses() {
        guard output.last == UInt8(ascii: ")") else { return }
        var start = output.count - 1
        while start > 0, Self.isWord(output[start - 1]) { start -= 1 }
        guard start > 0, start < output.count - 1, output[start - 1] == UInt8(ascii: "(") else { return }
        output.removeLast()
        if start > 1, Self.isWord(output[start - 2]) {
            output[start - 1] = UInt8(ascii: " ")
        } else {
            output.remove(at: start - 1)
        }
    }

    /// Copies a template literal. Compacts only the expressions inside the literal.
    private mutating func copyTemplate() {
        let end = endOfTemplate(from: index)
        var template: [UInt8] = []
        var next = index
        while next < end {
            var part = next + 1
            if source[next] == UInt8(ascii: "\\") {
                part = min(next + 2, end)
            } else if source[next] == UInt8(ascii: "$"), byte(at: next + 1) == UInt8(ascii: "{"),
                next + 2 < end
            {
                part = endOfPlaceholder(from: next + 2)
                template += Array("${".utf8)
                template += Self.compacted(Array(source[next + 2..<part]), .module)
                next = part
                continue
            }
            template += source[next..<part]
            next = part
        }
        copy(to: end, as: template)
    }

    // MARK: Literals

    /// Whether a slash begins a regular expression. A slash after a value is a division.
    private var isAtExpression: Bool { output.last.map { Self.contains("(,=:[!&|?{};>", $0) } ?? true }

    private func endOfText(from start: Int) -> Int {
        var index = start + 1
        while let byte = byte(at: index), byte != source[start] {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, source.count)
    }

    private func endOfTemplate(from start: Int) -> Int {
        var index = start + 1
        while let byte = byte(at: index), byte != UInt8(ascii: "`") {
            if byte == UInt8(ascii: "\\") {
                index += 2
            } else if byte == UInt8(ascii: "$"), self.byte(at: index + 1) == UInt8(ascii: "{") {
                index = endOfPlaceholder(from: index + 2)
            } else {
                index += 1
            }
        }
        return min(index + 1, source.count)
    }

    /// Returns the end of an expression in a template, after its closing brace.
    private func endOfPlaceholder(from start: Int) -> Int {
        var index = start
        var depth = 1
        while depth > 0, let byte = byte(at: index) {
            switch Character(UnicodeScalar(byte)) {
            case "`": index = endOfTemplate(from: index)
            case "'", "\"": index = endOfText(from: index)
            case "{":
                depth += 1
                index += 1
            case "}":
                depth -= 1
                index += 1
            default: index += 1
            }
        }
        return index
    }

    /// Returns the end of a regular expression, before its flags.
    private func endOfPattern(from start: Int) -> Int {
        var index = start + 1
        var isInClass = false
        while let byte = byte(at: index), byte != UInt8(ascii: "/") || isInClass {
            switch Character(UnicodeScalar(byte)) {
            case "\\": index += 1
            case "[": isInClass = true
            case "]": isInClass = false
            default: break
            }
            index += 1
        }
        return min(index + 1, source.count)
    }

    // MARK: Bytes

    private func byte(at index: Int) -> UInt8? { index < source.count ? source[index] : nil }

    private static func contains(_ text: StaticString, _ byte: UInt8) -> Bool {
        text.withUTF8Buffer { $0.contains(byte) }
    }

    /// Whether a byte is part of a name or number.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: contains("_$", byte)
        }
    }
}
