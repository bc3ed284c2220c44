import SettingKeys
import UploadEngine

/// A destination kind for FTP, with or without TLS.
enum FTPKind: DestinationDescriptor {
    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let host = SharedKeys.host
        let port = SharedKeys.port
        let path = SharedKeys.path
        let user = SharedKeys.user.required()
        let passwordFile = SharedKeys.passwordFile.required()
        let encryption = SettingKey(
            "encryption", optional: .choice([FTPSettings.Encryption.explicit, .implicit, .none]),
            example: "\"explicit\"",
            """
            `ftp`: whether TLS starts after connecting (`explicit`, the default), at the first byte (`implicit`), or \
            never (`none`).
            """
        )
        let tls13 = SettingKey(
            "tls13", optional: .flag, example: "false", topic: .transfer,
            "`ftp`: whether to allow TLS 1.3. With TLS 1.3, some servers silently truncate files."
        )
        let verify = SharedKeys.verify
        let connection = ConnectionKeys()
    }

    /// The default number of concurrent uploads. Many servers lose data in parallel uploads.
    static let workersUsual = 1

    static func location(_ settings: Settings<Keys>) -> String {
        "\(ClearTextSecrets.withoutUser(settings.host)):\(settings.path ?? "")"
    }

    static func wireName(_ settings: Settings<Keys>) -> String? {
        settings.encryption == FTPSettings.Encryption.none ? nil : "ftps"
    }

    static func features(_ settings: Settings<Keys>) -> [DestinationFeature] {
        [
            .hiddenNames, .partNames, .otherNames, .rename, .featureList, .modificationTime, .append, .resume,
            .size, .fileTime, .serverChecksum, .readBack, .remove,
        ]
    }

    static func silenceMax(_ settings: Settings<Keys>) -> Duration {
        ConnectionSettings.silenceMax(settings.connection)
    }

    static func make(
        _ settings: Settings<Keys>, at site: DestinationSite
    ) throws -> any UploadDestination {
        var ftp = FTPSettings(
            host: settings.host, port: settings.port, path: settings.path ?? "", user: settings.user,
            password: try site.secret(settings.passwordFile), connections: site.workers,
            allowsTLS13: settings.tls13 ?? false,
            connection: ConnectionSettings(settings.connection, at: site))
        if let encryption = settings.encryption { ftp.encryption = encryption }
        if let verification = settings.verify { ftp.verification = verification }
        return FTPDestination(ftp, memory: site.memory)
    }
}
