import SettingKeys

/// Configuration keys with the same meaning in several kinds.
enum SharedKeys {
    static let host = SettingKey(
        "host", required: .text, example: "\"nas.local\"",
        "`sftp`, `ftp`: the server. For `sftp`, also an alias from the ssh configuration.")

    static let port = SettingKey(
        "port", optional: .number(1...65535), example: "22",
        "`sftp`, `ftp`: the server's port. Default: the protocol's standard port.")

    static let path = SettingKey(
        "path", optional: .text, example: nil,
        "`sftp`, `ftp`: the folder on the server; relative paths start at the login folder.")

    static let verify = SettingKey(
        "verify", optional: .choice(Verification.allCases), example: "\"read-back\"", topic: .verification,
        """
        `ftp`, `webdav`, `http`, `sftp`: how a copy is verified if the server reports no checksum. `automatic`, the \
        default, compares the size if the connection is encrypted, and otherwise reads the copy back.
        """)

    static let connectTimeout = SettingKey(
        "connect_timeout", optional: .duration(max: .seconds(300)), example: "\"10 s\"", topic: .connection,
        "Time limit for name resolution, connection and encryption. Default: 10 s, for `sftp` 15 s.")

    static let stallTimeout = SettingKey(
        "stall_timeout", optional: .duration(max: .seconds(3600)), example: "\"30 s\"", topic: .connection,
        "Cancels an attempt if almost no data is transferred for this time. Default: 30 s, for `sftp` 60 s."
    )

    static let proxy = SettingKey(
        "proxy", optional: .text, example: "\"http://proxy.studio:3128\"", topic: .connection,
        "`s3`, `webdav`, `http`: the proxy to use. Proxy variables in the environment are ignored.")

    static let user = SettingKey(
        "user", optional: .text, example: "\"photos\"", topic: .account,
        "The user name; for `s3`, the access key id.")

    static let passwordFile = SettingKey(
        "password_file", optional: .text, example: "\"credential:nas\"", topic: .account, isSecretFile: true,
        """
        File with the password, token or secret key: an absolute path, or `credential:NAME` for a credential that \
        systemd provides (`LoadCredential=`). Do not put secrets in the configuration.
        """)
}

extension Duration {
    /// The duration in whole seconds, rounded up, at least one.
    var wholeSeconds: Int { max(Int((self / .seconds(1)).rounded(.up)), 1) }
}
