/// The text of a TOML file without its secrets. Works on files with mistakes in them, too: those are the ones that
/// are reported.
enum ConfigurationText {
    /// Comments are left out: they keep old passwords. Values under secret names are replaced as a whole, also where
    /// the table that they stand in has such a name.
    static func withoutSecrets(_ text: String) -> String {
        var lines: [String] = []
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        var isSecretTable = false
        while let raw = rest.popFirst() {
            let line = withoutComment(raw)
            let trimmed = line.drop { $0 == " " || $0 == "\t" }
            guard !trimmed.isEmpty else { continue }
            if trimmed.hasPrefix("["), !line.contains("=") {
                isSecretTable = SecretRemover.isSecret(line)
                lines.append(line)
                continue
            }
            guard let mark = line.firstIndex(of: "=") else {
                lines.append(isSecretTable ? SecretRemover.removed : line)
                continue
            }
            let name = String(line[..<mark])
            var value = String(line[line.index(after: mark)...])
            while isOpen(value), let next = rest.popFirst() { value += "\n" + next }
            let isSecret = isSecretTable || SecretRemover.isSecret(name)
            lines.append(
                isSecret ? "\(name)= \"\(SecretRemover.removed)\"" : "\(name)=\(inside(value))")
        }
        return SecretRemover().clean(lines.joined(separator: "\n")) + "\n"
    }

    /// A value of several lines keeps none of its comments.
    private static func inside(_ value: String) -> String {
        guard value.contains("\n"), !value.contains("\"\"\""), !value.contains("'''") else {
            // Text of several lines may hold anything, and no key of ours wants it.
            return value.contains("\n") ? " \"\(SecretRemover.removed)\"" : value
        }
        return value.split(separator: "\n", omittingEmptySubsequences: false)
            .map { withoutComment(String($0)) }.joined(separator: "\n")
    }

    /// Whether a value goes on in the next line: a bracket or a long string is open.
    private static func isOpen(_ value: String) -> Bool {
        for quote in ["\"\"\"", "'''"] where value.contains(quote) {
            var count = 0
            var rest = Substring(value)
            while !rest.isEmpty {
                if rest.hasPrefix(quote) {
                    count += 1
                    rest = rest.dropFirst(3)
                } else {
                    rest = rest.dropFirst()
                }
            }
            return count % 2 == 1
        }
        var depth = 0
        var quote: Character?
        for character in value {
            if let open = quote {
                if character == open || character == "\n" { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "[" || character == "{" {
                depth += 1
            } else if character == "]" || character == "}" {
                depth -= 1
            }
        }
        return depth > 0
    }

    /// The line up to a `#` that is not in a string.
    private static func withoutComment(_ line: String) -> String {
        var quote: Character?
        var isEscaped = false
        var kept = ""
        for character in line {
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\", open == "\"" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                }
            } else if character == "#" {
                break
            } else if character == "\"" || character == "'" {
                quote = character
            }
            kept.append(character)
        }
        return kept
    }
}
