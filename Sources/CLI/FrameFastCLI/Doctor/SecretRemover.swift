/// Removes passwords and tokens from texts that leave the computer, and shortens serial numbers.
struct SecretRemover {
    static let removed = "(removed)"
    /// Words that occur in the names of secrets.
    private static let secretWords = [
        "password", "passwd", "passphrase", "secret", "token", "key", "credential", "authorization", "auth",
        "cookie", "signature", "pin",
    ]
    /// The length of the shortest serial number that is shortened. Shorter numbers may be ordinary words.
    static let serialLengthMin = 5

    /// The serial numbers to shorten.
    var serials: Set<String> = []

    /// Returns whether a value with this name is a secret.
    static func isSecret(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let whole = words.joined()
        return secretWords.contains { word in
            word.count <= 4 ? words.contains { $0 == word || $0.hasSuffix(word) } : whole.contains(word)
        }
    }

    /// Returns `…` and the last three characters of a serial number. Short serial numbers are unchanged.
    static func shortened(_ serial: String) -> String {
        serial.count < serialLengthMin ? serial : "…" + serial.suffix(3)
    }

    /// Returns a text without secret values, and without the users and queries of URLs. Serial numbers are
    /// shortened.
    func clean(_ text: String) -> String {
        var result = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.cleanLine(Self.cleanURLs(String($0))) }.joined(separator: "\n")
        for serial in serials.sorted(by: { $0.count > $1.count }) where serial.count >= Self.serialLengthMin {
            result = result.replacing(serial, with: Self.shortened(serial))
        }
        return result
    }

    /// Removes secret values, for example from `password=x`, `"token": "x"` and `Authorization: Bearer x`.
    private static func cleanLine(_ line: String) -> String {
        var result = ""
        var rest = Substring(line)
        while let mark = rest.firstIndex(where: { $0 == "=" || $0 == ":" }) {
            let name = lastName(rest[..<mark])
            let after = rest[rest.index(after: mark)...]
            result += rest[...mark]
            rest = after
            guard isSecret(name), !after.hasPrefix("//") else { continue }
            let (space, value) = splitValue(after, isHeader: name.lowercased().contains("auth"))
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

    /// Returns the spaces before a value, and the value.
    private static func splitValue(_ text: Substring, isHeader: Bool) -> (space: Substring, value: Substring)
    {
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

    /// Removes user, password and query from URLs such as `https://user:password@host/?token=x`.
    static func cleanURLs(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let scheme = rest.firstRange(of: "://") {
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let ends: Set<Character> = [" ", "\"", "'", "<", ">", ")", "]", "}", "`", "\t"]
            let url = rest.prefix { !ends.contains($0) }
            rest = rest.dropFirst(url.count)
            let authority = url.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            var host = authority
            // If the password contains a slash, the authority (`user:password@host`) ends too early. Use the
            // last @ of the whole URL instead.
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
}
