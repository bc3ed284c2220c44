import SettingKeys

/// The keys of an account at a server that speaks HTTP.
struct CredentialKeys: KeyTable {
    /// How the secret is shown.
    enum Way: String, CaseIterable, Sendable { case basic, digest, bearer }

    static let section = "destination"
    static let keys = CredentialKeys()

    let user = SharedKeys.user
    let passwordFile = SharedKeys.passwordFile
    let auth = SettingKey(
        "auth", optional: .choice(Way.allCases), example: "\"digest\"", topic: .account,
        "`webdav`, `http`: how the secret is shown. Without it, `basic` with a `user`, else `bearer`.")

    /// A way of showing a secret needs the secret.
    static func faults(_ settings: Settings<CredentialKeys>) -> [SettingFault] {
        guard let auth = settings.auth else { return [] }
        var missing: [String] = []
        if auth != .bearer, settings.user == nil { missing.append("user") }
        if settings.passwordFile == nil { missing.append("password_file") }
        return missing.map { SettingFault("auth", "'auth = \"\(auth.rawValue)\"' needs '\($0)'") }
    }
}

extension HTTPCredentials {
    init(_ settings: Settings<CredentialKeys>, at site: DestinationSite) throws {
        guard let file = settings.passwordFile else {
            self = .none
            return
        }
        let secret = try site.secret(file)
        guard settings.auth != .bearer, let user = settings.user else {
            self = .bearer(secret)
            return
        }
        self = .password(user: user, password: secret, digest: settings.auth == .digest)
    }
}
