/// Functions that detect secrets in headers, form fields and URLs.
enum ClearTextSecrets {
    /// The words in names of secrets, for example in `X-Api-Key`, `Authorization` and `access_token`.
    private static let words: Set<String> = [
        "authorization", "auth", "key", "apikey", "token", "secret", "password", "passwd", "pwd", "cookie",
        "credential", "credentials", "signature",
    ]

    /// Returns whether a name indicates a secret and its value is in clear text. A value that starts with `{`
    /// is a template and not in clear text.
    static func isSecret(_ name: some StringProtocol, _ value: some StringProtocol) -> Bool {
        let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return !value.isEmpty && !value.hasPrefix("{") && parts.contains(where: words.contains)
    }

    /// Returns the warnings about secrets in the URLs of the given keys.
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

    /// Returns the names of the URL parameters that contain secrets. Includes "the user's password" if the
    /// URL contains a password.
    private static func names(inAddress url: String) -> [String] {
        let parts = url.split(separator: "?", maxSplits: 1)
        let query = parts.count == 2 ? parts[1] : ""
        var names = query.split(separator: "&").compactMap { pair -> String? in
            let (name, value) = splitOnce(pair, "=")
            return isSecret(name, value) ? String(name) : nil
        }
        if userInfo(inAddress: url)?.contains(":") == true { names.append("the user's password") }
        return names
    }

    /// Returns the user and password in a URL, or `nil` if the URL contains no user. The password may contain
    /// characters that would normally end the host part of a URL.
    static func userInfo(inAddress url: String) -> Substring? {
        // The URL of a proxy may have no scheme.
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
        let authority = rest.prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at]
            // "user:p@ss/word@host": the password extends to the last "@".
            return user.contains(":") ? rest.lastIndex(of: "@").map { rest[..<$0] } : user
        }
        // "user:pa/ss@host": the text after the colon is not a port number.
        guard !authority.hasPrefix("["), let colon = authority.firstIndex(of: ":"),
            !isPort(authority[authority.index(after: colon)...]), let at = rest.lastIndex(of: "@")
        else { return nil }
        return rest[..<at]
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.allSatisfy(\.isNumber) && UInt16(text) != nil
    }

    /// Returns a URL without its user and password, for messages.
    static func withoutUser(_ url: String) -> String {
        guard let user = userInfo(inAddress: url) else { return url }
        return url.replacing("\(user)@", with: "", maxReplacements: 1)
    }

    /// The advice for a URL that contains a user and a password.
    static let userAdvice = "set 'user', and name the password's file in 'password_file'"

    /// Returns the text before the first separator, and the text after it without leading spaces.
    static func splitOnce(_ text: some StringProtocol, _ separator: Character) -> (String, String) {
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        return (String(parts[0]), String(value))
    }
}
