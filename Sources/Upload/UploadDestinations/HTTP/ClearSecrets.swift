/// Names of headers, form fields and parameters whose value is usually a secret.
enum ClearSecrets {
    /// The words that such names have: `X-Api-Key`, `Authorization`, `access_token`.
    private static let words: Set<String> = [
        "authorization", "auth", "key", "apikey", "token", "secret", "password", "passwd", "pwd", "cookie",
        "credential", "credentials", "signature",
    ]

    /// Whether a name stands for a secret, and its value is the secret itself rather than a template's word.
    static func holds(_ name: some StringProtocol, _ value: some StringProtocol) -> Bool {
        let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return !value.isEmpty && !value.hasPrefix("{") && parts.contains(where: words.contains)
    }

    /// The warnings about secrets in the addresses that these keys have.
    static func warnings(_ addresses: (key: String, address: String?)...) -> [SettingFault] {
        addresses.flatMap { key, address in
            names(inAddress: address ?? "").map {
                SettingFault(
                    key,
                    "\($0) is in clear text in the address: other users can read it if they can read this file"
                )
            }
        }
    }

    /// The names in the parameters of an address that stand for a secret, and "user" for a password in it.
    private static func names(inAddress url: String) -> [String] {
        let parts = url.split(separator: "?", maxSplits: 1)
        let query = parts.count == 2 ? parts[1] : ""
        var names = query.split(separator: "&").compactMap { pair -> String? in
            let (name, value) = halves(pair, "=")
            return holds(name, value) ? String(name) : nil
        }
        if userInfo(inAddress: url)?.contains(":") == true { names.append("the user's password") }
        return names
    }

    /// The user and the password in an address, or `nil`. A password may hold characters that end the host of an address.
    static func userInfo(inAddress url: String) -> Substring? {
        // A proxy may have no scheme.
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
        let authority = rest.prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at]
            // "user:p@ss/word@host": the password ends with the last one.
            return user.contains(":") ? rest.lastIndex(of: "@").map { rest[..<$0] } : user
        }
        // "user:pa/ss@host": what follows the colon is no port.
        guard !authority.hasPrefix("["), let colon = authority.firstIndex(of: ":"),
            !isPort(authority[authority.index(after: colon)...]), let at = rest.lastIndex(of: "@")
        else { return nil }
        return rest[..<at]
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.allSatisfy(\.isNumber) && UInt16(text) != nil
    }

    /// An address without the user and the password in it, for people.
    static func withoutUser(_ url: String) -> String {
        guard let user = userInfo(inAddress: url) else { return url }
        return url.replacing("\(user)@", with: "", maxReplacements: 1)
    }

    /// What to do with a user and a password in an address.
    static let userAdvice = "set 'user', and name the password's file in 'password_file'"

    /// The text before a separator, and the text behind it.
    static func halves(_ text: some StringProtocol, _ separator: Character) -> (String, String) {
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        return (String(parts[0]), String(value))
    }
}
