import TerminalUI

/// Takes out of texts what must not leave the computer.
struct SecretRemover {
    static let removed = "(removed)"
    /// What the names of secrets have in them.
    private static let secretWords = [
        "password", "passwd", "passphrase", "secret", "token", "key", "credential", "authorization", "auth",
        "cookie", "signature", "pin",
    ]
    /// Shorter serial numbers are too common as words to be looked for.
    static let serialLengthMin = 5

    /// Serial numbers that were seen.
    var serials: Set<String> = []

    /// Whether a value under this name is a secret.
    static func isSecret(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let whole = words.joined()
        return secretWords.contains { word in
            word.count <= 4 ? words.contains { $0 == word || $0.hasSuffix(word) } : whole.contains(word)
        }
    }

    /// The last three characters of a serial number.
    static func shortened(_ serial: String) -> String {
        serial.count < serialLengthMin ? serial : "…" + serial.suffix(3)
    }

    /// A text with what follows the names of secrets, the users in URLs and serial numbers taken out.
    func clean(_ text: String) -> String {
        var result = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.cleanLine(Self.cleanURLs(String($0))) }.joined(separator: "\n")
        for serial in serials.sorted(by: { $0.count > $1.count }) where serial.count >= Self.serialLengthMin {
            result = Self.replacing(serial, by: Self.shortened(serial), in: result)
        }
        return result
    }

    /// `password=x`, `"token": "x"`, `Authorization: Bearer x`: whatever follows a secret's name up to the end of its value.
    private static func cleanLine(_ line: String) -> String {
        var result = ""
        var rest = Substring(line)
        while let mark = rest.firstIndex(where: { $0 == "=" || $0 == ":" }) {
            let name = lastName(rest[..<mark])
            let after = rest[rest.index(after: mark)...]
            result += rest[...mark]
            rest = after
            guard isSecret(name), !after.hasPrefix("//") else { continue }
            let (space, value) = valueEnd(after, isHeader: name.lowercased().contains("auth"))
            guard !value.isEmpty, value != "\"\(removed)\"" else { continue }
            result += space + removed
            rest = after.dropFirst(space.count + value.count)
        }
        return cleanBearer(result + rest)
    }

    private static func cleanBearer(_ line: String) -> String {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for index in words.indices.dropLast()
        where ["bearer", "basic"].contains(words[index].lowercased().filter(\.isLetter)) {
            if words[index + 1].count > 7 { words[index + 1] = removed }
        }
        return words.joined(separator: " ")
    }

    private static func lastName(_ text: Substring) -> String {
        let trimmed = text.reversed().drop { $0 == " " || $0 == "\"" || $0 == "'" || $0 == "\\" }
        return String(
            trimmed.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }.reversed())
    }

    /// The space before a value, and the value.
    private static func valueEnd(_ text: Substring, isHeader: Bool) -> (space: Substring, value: Substring) {
        let space = text.prefix { $0 == " " }
        let rest = text.dropFirst(space.count)
        guard let first = rest.first else { return (space, rest) }
        if first == "\"" || first == "'" {
            var isEscaped = false
            let inside = rest.dropFirst().prefix { character in
                if isEscaped {
                    isEscaped = false
                    return true
                }
                if character == "\\", first == "\"" { isEscaped = true }
                return character != first
            }
            return (space, rest.prefix(inside.count + 2))
        }
        if isHeader { return (space, rest) }
        return (
            space, rest.prefix { $0 != " " && $0 != "," && $0 != ";" && $0 != "&" && $0 != "}" && $0 != "]" }
        )
    }

    /// `https://user:password@host/?token=x` loses user, password and query.
    static func cleanURLs(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let scheme = find("://", in: rest) {
            let start = rest.index(scheme, offsetBy: 3)
            result += rest[..<start]
            rest = rest[start...]
            let ends: Set<Character> = [" ", "\"", "'", "<", ">", ")", "]", "}", "`", "\t"]
            let url = rest.prefix { !ends.contains($0) }
            rest = rest.dropFirst(url.count)
            let authority = url.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            var host = authority
            // A password with a slash in it moves the end of the authority: take the last @ of the whole.
            if let at = (authority.contains("@") ? authority : url).lastIndex(of: "@") {
                result += removed + "@"
                host = url[url.index(after: at)...]
            } else {
                host = url
            }
            if authority.contains("@"), let at = authority.lastIndex(of: "@") {
                host = url[url.index(after: at)...]
            }
            if let query = host.firstIndex(of: "?") {
                result += host[...query] + removed
            } else {
                result += host
            }
        }
        return result + rest
    }

    private static func find(_ needle: String, in text: Substring) -> Substring.Index? {
        var rest = text
        while !rest.isEmpty {
            if rest.hasPrefix(needle) { return rest.startIndex }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func replacing(_ old: String, by new: String, in text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let index = find(old, in: rest) {
            result += rest[..<index] + new
            rest = rest[rest.index(index, offsetBy: old.count)...]
        }
        return result + rest
    }
}
