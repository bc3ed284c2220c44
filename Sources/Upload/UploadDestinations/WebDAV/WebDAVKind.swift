import SettingKeys
import UploadEngine

/// A destination kind for a folder of a WebDAV server.
enum WebDAVKind: DestinationDescriptor {
    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let url = SettingKey(
            "url", required: .text, example: "\"https://dav.example.com/photos\"",
            "`webdav`: the folder's URL.")
        let credentials = CredentialKeys()
        let verify = SharedKeys.verify
        let connection = ConnectionKeys()
        let proxy = SharedKeys.proxy
    }

    static let workersUsual = 16

    static func faults(_ settings: Settings<Keys>) -> [SettingFault] {
        CredentialKeys.faults(settings.credentials)
    }

    static func warnings(_ settings: Settings<Keys>) -> [SettingFault] {
        ClearTextSecrets.warnings(("url", settings.url), ("proxy", settings.proxy))
    }

    static func location(_ settings: Settings<Keys>) -> String {
        ClearTextSecrets.withoutUser(settings.url)
    }

    static func features(_ settings: Settings<Keys>) -> [DestinationFeature] {
        [
            .hiddenNames, .partNames, .otherNames, .rename, .absoluteDestination, .modificationTime, .size,
            .readBack, .remove,
        ]
    }

    static func silenceMax(_ settings: Settings<Keys>) -> Duration {
        ConnectionSettings.silenceMax(settings.connection)
    }

    static func make(
        _ settings: Settings<Keys>, at site: DestinationSite
    ) throws -> any UploadDestination {
        var webDAV = WebDAVSettings(
            url: settings.url, credentials: try HTTPCredentials(settings.credentials, at: site),
            connection: ConnectionSettings(settings.connection, proxy: settings.proxy, at: site))
        if let verification = settings.verify { webDAV.verification = verification }
        return WebDAVDestination(webDAV, memory: site.memory)
    }
}
