/// Reads a translation as translators' programs write it (gettext's `.po`).
public struct PortableObject: Sendable {
    /// What is wrong with a file.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        /// Which line, from 1.
        public var line: Int
        /// What is wrong there.
        public var reason: String

        /// For people.
        public var description: String { "line \(line): \(reason)" }
    }

    /// One text.
    public struct Entry: Hashable, Sendable {
        /// What it is found by.
        public var key: Catalogue.Key
        /// The English text for other numbers than one; `nil` where there is no number.
        public var plural: String?
        /// The translations; empty ones have not been translated yet.
        public var forms: [String] = []
        /// Whether a translator has to look at it once more (`#, fuzzy`).
        public var isFuzzy = false
    }

    /// The texts, in the order of the file, without its head.
    public private(set) var entries: [Entry] = []
    /// How the language tells numbers apart.
    public private(set) var plural = PluralRule.one

    /// Reads a file.
    ///
    /// - Throws: ``Fault`` for what is no such file, and for a plural rule that the program does not know.
    public init(_ text: String) throws(Fault) {
        var reader = Reader()
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            try reader.take(line.drop { $0 == " " || $0 == "\t" || $0 == "\r" }, number)
        }
        try reader.endEntry(number)
        if let head = reader.entries.first, head.key == Catalogue.Key("") {
            plural = try Self.rule(head.forms.first ?? "")
            entries = Array(reader.entries.dropFirst())
        } else {
            entries = reader.entries
        }
    }

    /// What the program looks texts up in: those that are translated.
    public var catalogue: Catalogue {
        var texts: [Catalogue.Key: [String]] = [:]
        for entry in entries where !entry.isFuzzy && !entry.forms.isEmpty && !entry.forms.contains("") {
            texts[entry.key] = entry.forms
        }
        return Catalogue(entries: texts, plural: plural)
    }

    private static func rule(_ head: String) throws(Fault) -> PluralRule {
        guard let line = head.split(separator: "\n").first(where: { $0.hasPrefix("Plural-Forms:") }) else {
            return .one
        }
        switch line.dropFirst("Plural-Forms:".count).filter({ $0 != " " }) {
        case "nplurals=1;plural=0;": return .none
        case "nplurals=2;plural=(n!=1);", "nplurals=2;plural=n!=1;": return .one
        default: throw Fault(line: 1, reason: "a plural rule that is not known: \(line)")
        }
    }

    private struct Reader {
        enum Part: Equatable { case context, text, plural, form(Int) }

        var entries: [Entry] = []
        private var entry = Entry(key: Catalogue.Key(""))
        private var part: Part?
        private var isFuzzy = false

        mutating func take(_ line: Substring, _ number: Int) throws(Fault) {
            if line.isEmpty { return try endEntry(number) }
            if line.hasPrefix("#") {
                if part == .form(0) { try endEntry(number) }
                if line.hasPrefix("#,"), line.contains("fuzzy") { isFuzzy = true }
                return
            }
            if line.hasPrefix("\"") { return try add(line, number) }
            guard let space = line.firstIndex(where: { $0 == " " || $0 == "\t" }) else {
                throw Fault(line: number, reason: "neither a keyword nor a text")
            }
            let keyword = line[..<space]
            let next = try part(keyword, number)
            if next == .context || (next == .text && part != .context) { try endEntry(number) }
            if case .form = next { entry.forms.append("") }
            if next == .plural { entry.plural = "" }
            part = next
            try add(line[space...].drop { $0 == " " || $0 == "\t" }, number)
        }

        private func part(_ keyword: Substring, _ number: Int) throws(Fault) -> Part {
            switch keyword {
            case "msgctxt": return .context
            case "msgid": return .text
            case "msgid_plural": return .plural
            case "msgstr", "msgstr[0]": return .form(0)
            case "msgstr[1]" where entry.forms.count == 1: return .form(1)
            default: throw Fault(line: number, reason: "“\(keyword)” has no place here")
            }
        }

        private mutating func add(_ quoted: Substring, _ number: Int) throws(Fault) {
            let text = try unquoted(quoted, number)
            switch part {
            case .context?: entry.key.context += text
            case .text?: entry.key.text += text
            case .plural?: entry.plural? += text
            case .form?: entry.forms[entry.forms.count - 1] += text
            case nil: throw Fault(line: number, reason: "a text without a keyword")
            }
        }

        private func unquoted(_ quoted: Substring, _ number: Int) throws(Fault) -> String {
            var text = ""
            var isEscape = false
            var rest = quoted.dropFirst()
            guard quoted.first == "\"" else {
                throw Fault(line: number, reason: "a text without quotation marks")
            }
            while let character = rest.popFirst() {
                if isEscape {
                    switch character {
                    case "n": text.append("\n")
                    case "t": text.append("\t")
                    case "\"", "\\": text.append(character)
                    default: throw Fault(line: number, reason: "an escape that is not known: \\\(character)")
                    }
                    isEscape = false
                } else if character == "\\" {
                    isEscape = true
                } else if character == "\"" {
                    guard rest.allSatisfy(\.isWhitespace) else {
                        throw Fault(line: number, reason: "something stands behind the text")
                    }
                    return text
                } else {
                    text.append(character)
                }
            }
            throw Fault(line: number, reason: "the text does not end")
        }

        mutating func endEntry(_ number: Int) throws(Fault) {
            guard let part else { return }
            guard case .form = part else {
                throw Fault(line: number, reason: "a text without its translation")
            }
            entry.isFuzzy = isFuzzy
            entries.append(entry)
            entry = Entry(key: Catalogue.Key(""))
            (self.part, isFuzzy) = (nil, false)
        }
    }
}
