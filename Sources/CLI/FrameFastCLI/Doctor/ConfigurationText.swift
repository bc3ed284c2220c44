/// Removes secrets from the text of a TOML file. Accepts files with syntax errors, which are common in bug
/// reports.
enum ConfigurationText {
    /// Returns the text without secrets and without comments. Comments may contain old passwords.
    ///
    /// Replaces a value if the name of its key or of its table is the name of a secret.
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
                isSecret ? "\(name)= \"\(SecretRemover.removed)\"" : "\(name)=\(withoutInnerComments(value))")
        }
        return SecretRemover().clean(lines.joined(separator: "\n")) + "\n"
    }

    /// Returns a value without the comments in its lines.
    private static func withoutInnerComments(_ value: String) -> String {
        guard value.contains("\n"), !value.contains("\"\"\""), !value.contains("'''") else {
            // Remove every multi-line string, because the string may contain a secret. No configuration key
            // needs multi-line strings.
            return value.contains("\n") ? " \"\(SecretRemover.removed)\"" : value
        }
        return value.split(separator: "\n", omittingEmptySubsequences: false)
            .map { withoutComment(String($0)) }.joined(separator: "\n")
    }

    /// Returns whether a value continues on the next line, because a bracket or a multi-line string is open.
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

    /// Returns the line up to a `#` outside strings.
    private static func withoutComment(_ line: String) -> String {
        var quote: Character?
        var isEscaped = false
        var result = ""
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
            result.append(character)
        }
        return result
    }
}
