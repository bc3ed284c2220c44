import SettingKeys

/// The configuration keys for the account on an HTTP server.
struct CredentialKeys: KeyTable {
    /// The part of a request that contains the secret.
    enum SecretLocation: Hashable, Sendable {
        case basic, digest, bearer
        /// The complete value of a header with this name, for example Immich's `x-api-key`.
        case header(String)
        /// The complete value of a form field with this name.
        case field(String)

        /// Creates the value from its configuration text. Returns `nil` if the text is invalid.
        init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            switch (parts[0], parts.count == 2 ? parts[1] : "") {
            case ("basic", "") where parts.count == 1: self = .basic
            case ("digest", "") where parts.count == 1: self = .digest
            case ("bearer", "") where parts.count == 1: self = .bearer
            case ("header", let name) where HTTPKeys.isToken(name): self = .header(String(name))
            case ("field", let name) where !name.isEmpty && !name.contains(where: \.isNewline):
                self = .field(String(name))
            default: return nil
            }
        }

        /// The configuration text.
        var word: String {
            switch self {
            case .basic: "basic"
            case .digest: "digest"
            case .bearer: "bearer"
            case .header(let name): "header:\(name)"
            case .field(let name): "field:\(name)"
            }
        }
    }

    static let section = "destination"
    static let keys = CredentialKeys()

    let user = SharedKeys.user
    let passwordFile = SharedKeys.passwordFile
    let auth = SettingKey(
        "auth", optional: secretLocation, example: "\"digest\"", topic: .account,
        """
        `webdav`, `http`: the part of a request that contains the secret: `basic`, `digest`, `bearer`, or \
        `header:NAME` for another header such as `header:x-api-key`. For `http` with method `post`, also \
        `field:NAME` for a field of the form. Default: `basic` if `user` is set, otherwise `bearer`.
        """)

    private static let secretLocation = SettingKind<SecretLocation>(
        .text,
        check: { value in
            guard let text = value.text, SecretLocation(text) == nil else { return [] }
            return ["'\(text)' must be basic, digest, bearer, header:NAME or field:NAME"]
        }, read: { $0.text.flatMap(SecretLocation.init) })

    /// Returns the faults of credentials: a missing user or password file, or a form field without a form.
    ///
    /// - Parameter takesForms: Whether a form field may contain the secret.
    static func faults(_ settings: Settings<CredentialKeys>, takesForms: Bool = false) -> [SettingFault] {
        guard let auth = settings.auth else { return [] }
        var missing: [String] = []
        if [.basic, .digest].contains(auth), settings.user == nil { missing.append("user") }
        if settings.passwordFile == nil { missing.append("password_file") }
        var faults = missing.map { SettingFault("auth", "'auth = \"\(auth.word)\"' needs '\($0)'") }
        if case .field = auth, !takesForms {
            faults.append(SettingFault("auth", "'auth = \"\(auth.word)\"' needs 'method = \"post\"'"))
        }
        return faults
    }
}

extension HTTPCredentials {
    init(_ settings: Settings<CredentialKeys>, at site: DestinationSite) throws {
        guard let file = settings.passwordFile else {
            self = .none
            return
        }
        let secret = try site.secret(file)
        switch settings.auth {
        case .header(let name): self = .header(name: name, secret)
        case .field: self = .none
        case .bearer: self = .bearer(secret)
        case .basic, .digest, nil:
            self =
                settings.user.map {
                    .password(user: $0, password: secret, digest: settings.auth == .digest)
                } ?? .bearer(secret)
        }
    }
}
