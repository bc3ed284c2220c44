import HTTPTypes

/// The cookie with a device's token.
///
/// With TLS, the prefix `__Host-` makes the browser accept the cookie only from this host over TLS. Without
/// TLS, a browser would drop a cookie with this prefix.
struct TokenCookie: Hashable, Sendable {
    /// Whether the connection uses TLS.
    let isEncrypted: Bool

    /// The lifetime in the browser, in seconds: 400 days, the maximum of browsers. The service decides when a
    /// device loses access.
    private static let lifetimeSeconds = 400 * 86_400

    /// The name of the cookie.
    var name: String { isEncrypted ? "__Host-framefast" : "framefast" }

    /// Returns the token of a request, or `nil` if the request has no such cookie.
    func token(in fields: HTTPFields) -> String? {
        fields[values: .cookie].lazy.compactMap { token(inHeader: $0) }.first
    }

    /// Returns the token in one Cookie header, or `nil` if the header has no such cookie.
    func token(inHeader header: String) -> String? {
        for pair in header.split(separator: ";") {
            let text = pair.drop { $0 == " " }
            guard text.hasPrefix(name + "=") else { continue }
            return String(text.dropFirst(name.count + 1))
        }
        return nil
    }

    /// The value of the header that stores a token in the browser.
    func setting(_ token: String) -> String { text(token, lifetimeSeconds: Self.lifetimeSeconds) }

    /// The value of the header that deletes the token in the browser.
    var deletion: String { text("", lifetimeSeconds: 0) }

    private func text(_ value: String, lifetimeSeconds: Int) -> String {
        let secure = isEncrypted ? " Secure;" : ""
        return "\(name)=\(value); Path=/; Max-Age=\(lifetimeSeconds);\(secure) HttpOnly; SameSite=Strict"
    }
}
