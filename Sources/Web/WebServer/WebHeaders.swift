import HTTPTypes

/// Header fields of every answer, and the cookie.
enum WebHeaders {
    static let fetchSite = name("Sec-Fetch-Site")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("no name of a header field: \(text)")
        }
        return name
    }

    /// Nothing but what comes from here, and nothing that turns a text into a program.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    static func all(isTLS: Bool) -> [HTTPField] {
        var fields: [(String, String)] = [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            (
                "Permissions-Policy",
                "camera=(), microphone=(), geolocation=(), usb=(), fullscreen=(self), screen-wake-lock=(self)"
            ),
        ]
        if !isTLS { fields.removeAll { $0.0 == "Cross-Origin-Opener-Policy" } }
        return fields.map { HTTPField(name: name($0.0), value: $0.1) }
    }

    /// Bound to this host on TLS; on plain HTTP a browser would drop that.
    static func cookieName(isTLS: Bool) -> String { isTLS ? "__Host-framefast" : "framefast" }

    /// A year: how long a device is good is decided here and not by its browser.
    static func cookie(_ token: String, isTLS: Bool) -> String {
        "\(cookieName(isTLS: isTLS))=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000\(isTLS ? "; Secure" : "")"
    }
}
