import HTTPTypes

/// The headers of every reply. They limit the page's own rights in the browser.
enum PageHeaders {
    /// The content that the page may load and run: only its own files.
    static let contentPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    /// The features of the browser that the page may use. Other features that need a person's permission are
    /// off.
    static let permissions = """
        fullscreen=(self), screen-wake-lock=(self), camera=(), microphone=(), geolocation=(), \
        display-capture=(), payment=(), usb=(), serial=(), bluetooth=(), midi=(), clipboard-read=()
        """

    /// The headers of every reply.
    static let all: [(name: String, value: String)] = [
        ("Content-Security-Policy", contentPolicy), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Permissions-Policy", permissions),
    ]

    /// The time for which a browser may show a picture again without a request, in seconds. After this time,
    /// a device that lost access cannot show the picture.
    private static let pictureSeconds = 600

    /// Shortens the time for which a browser may keep a picture. On the Unix socket, programs may keep a
    /// picture whose URL names its revision for a year.
    static func limitPicture(_ fields: inout HTTPFields) {
        guard fields[.cacheControl]?.hasSuffix("immutable") == true else { return }
        fields[.cacheControl] = "private, max-age=\(pictureSeconds)"
    }

    /// Makes the browser delete its copies of pictures. Browsers accept the header only over TLS, or from a
    /// server on the same computer.
    static func clearCache(in fields: inout HTTPFields, for peer: WebPeer) {
        guard peer.isEncrypted || peer.local.scope == .loopback, let name = HTTPField.Name("Clear-Site-Data")
        else { return }
        fields[name] = "\"cache\""
    }

    /// Adds the headers to a reply. Sends no header that allows other origins to read the reply.
    static func add(to fields: inout HTTPFields) {
        for (name, value) in all {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}
