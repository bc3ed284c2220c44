/// An index from keys to their lines in a TOML text. TOMLKit reports positions only for syntax errors.
///
/// The index tracks table headers, multi-line strings and arrays. The line of a key inside an inline table is
/// the line of its outer key.
struct TOMLLocator {
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var prefix = ""
        var tableCounts: [String: Int] = [:]
        var openQuote: Substring?
        var depth = 0
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = raw.drop { $0 == " " || $0 == "\t" }
            let isContinued = openQuote != nil || depth > 0
            if !isContinued, line.hasPrefix("[") {
                let header = Self.header(line)
                prefix = header.name
                if header.isArray {
                    let count = tableCounts[prefix, default: 0]
                    tableCounts[prefix] = count + 1
                    prefix += "[\(count)]"
                }
                record(prefix, at: index + 1)
                continue
            }
            if !isContinued, let key = Self.key(line) {
                let path = prefix.isEmpty ? key : prefix + "." + key
                record(path, at: index + 1)
                // A dotted key also declares its tables.
                for (offset, character) in zip(key.indices, key) where character == "." {
                    let parent = String(key[..<offset])
                    record(prefix.isEmpty ? parent : prefix + "." + parent, at: index + 1)
                }
            }
            Self.scan(line, openQuote: &openQuote, depth: &depth)
        }
    }

    /// Returns the line of a path such as `capture.directory` or `camera[1].name`, or of its innermost known
    /// table.
    func line(of path: String) -> Int? {
        var path = path
        while !path.isEmpty {
            if let line = lines[path] { return line }
            guard let dot = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = String(path[..<dot])
        }
        return nil
    }

    private mutating func record(_ path: String, at line: Int) {
        if lines[path] == nil { lines[path] = line }
    }

    private static func header(_ line: Substring) -> (name: String, isArray: Bool) {
        let isArray = line.hasPrefix("[[")
        let inner = line.drop { $0 == "[" }.prefix { $0 != "]" }
        return (normalized(inner), isArray)
    }

    private static func key(_ line: Substring) -> String? {
        guard let equals = line.firstIndex(of: "="), !line.hasPrefix("#") else { return nil }
        return normalized(line[..<equals])
    }

    private static func normalized(_ key: Substring) -> String {
        String(key.filter { !" \t\"'".contains($0) })
    }

    /// Updates the open quote and the bracket depth for one line.
    private static func scan(_ line: Substring, openQuote: inout Substring?, depth: inout Int) {
        var rest = line
        while let character = rest.first {
            if let quote = openQuote {
                if rest.hasPrefix(quote) {
                    rest.removeFirst(quote.count)
                    openQuote = nil
                } else {
                    let isEscape = character == "\\" && quote.hasPrefix("\"") && rest.count > 1
                    rest.removeFirst(isEscape ? 2 : 1)
                }
                continue
            }
            switch character {
            case "#": return
            case "\"", "'":
                let triple = String(repeating: character, count: 3)
                openQuote = rest.hasPrefix(triple) ? triple[...] : String(character)[...]
                rest.removeFirst(openQuote?.count ?? 1)
                continue
            case "[", "{": depth += 1
            case "]", "}": depth = max(0, depth - 1)
            default: break
            }
            rest.removeFirst()
        }
        // A single-line string ends with its line.
        if openQuote?.count == 1 { openQuote = nil }
    }
}
