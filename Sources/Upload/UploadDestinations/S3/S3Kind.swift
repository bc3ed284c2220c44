import SettingKeys
import UploadEngine

/// A destination kind for a bucket of any S3 service.
enum S3Kind: DestinationDescriptor {
    /// The part sizes that S3 allows, in bytes.
    private static let partBytes: ClosedRange<Int64> = (5 << 20)...(5 << 30)

    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let url = SettingKey("url", required: .text, example: nil, "`s3`: the service's address.")
        let bucket = SettingKey(
            "bucket", required: .text, example: "\"weddings\"", "`s3`: the bucket. It must exist.")
        let region = SettingKey(
            "region", optional: .text, example: "\"eu-central-1\"",
            "`s3`: the region. Default: `us-east-1`.")
        let prefix = SettingKey(
            "prefix", optional: .text, example: "\"studio1/\"", "`s3`: prefix of every name.")
        let addressStyle = SettingKey(
            "address_style", optional: .choice(S3Settings.Style.allCases), example: "\"host\"",
            topic: .transfer,
            "`s3`: `https://host/bucket/key` (`path`, the default) or `https://bucket.host/key`.")
        let keyCheck = SettingKey(
            "key_check", optional: .choice(S3Settings.KeyCheck.allCases), example: "\"look-first\"",
            topic: .transfer,
            """
            `s3`: how FrameFast avoids overwriting another photo that has the same key. `automatic`, the default, \
            tests whether the service supports `If-None-Match`. If the service does not support this header, \
            FrameFast checks each key before the upload.
            """)
        let sendsChecksum = SettingKey(
            "send_checksum", optional: .flag, example: "false", topic: .transfer,
            """
            `s3`: whether to send the photo's SHA-256, which the service verifies. Default: `true`. A few services \
            reject the header.
            """)
        let partSize = SettingKey(
            "part_size",
            optional: .size { S3Kind.partBytes.contains($0) ? nil : "a part is 5.3 MB to 5.3 GB" },
            example: "\"16 MB\"", topic: .transfer,
            """
            `s3`: size of the parts of large photos, 5.3 MB to 5.3 GB. Default: 8.4 MB. Files of more than \
            8.4 GB have larger parts.
            """)
        let user = SharedKeys.user.required()
        let passwordFile = SharedKeys.passwordFile.required()
        let sessionTokenFile = SettingKey(
            "session_token_file", optional: .text, example: "\"credential:aws-token\"", topic: .keys,
            isSecretFile: true,
            "`s3`: file with the session token of temporary keys. The value has the form of `password_file`.")
        let connection = ConnectionKeys()
        let proxy = SharedKeys.proxy
    }

    static let workersUsual = 16

    static func warnings(_ settings: Settings<Keys>) -> [SettingFault] {
        ClearTextSecrets.warnings(("url", settings.url), ("proxy", settings.proxy))
    }

    static func location(_ settings: Settings<Keys>) -> String {
        "\(ClearTextSecrets.withoutUser(settings.url))/\(settings.bucket)/\(settings.prefix ?? "")"
    }

    static func features(_ settings: Settings<Keys>) -> [DestinationFeature] {
        [.checksumHeader, .md5Header, .metadata, .condition, .size]
    }

    static func silenceMax(_ settings: Settings<Keys>) -> Duration {
        ConnectionSettings.silenceMax(settings.connection)
    }

    static func make(
        _ settings: Settings<Keys>, at site: DestinationSite
    ) throws -> any UploadDestination {
        var s3 = S3Settings(
            endpoint: settings.url, bucket: settings.bucket, accessKey: settings.user,
            secretKey: try site.secret(settings.passwordFile),
            connection: ConnectionSettings(settings.connection, proxy: settings.proxy, at: site))
        if let region = settings.region { s3.region = region }
        if let prefix = settings.prefix { s3.prefix = prefix }
        if let style = settings.addressStyle { s3.style = style }
        if let check = settings.keyCheck { s3.keyCheck = check }
        if let file = settings.sessionTokenFile { s3.sessionToken = try site.secret(file) }
        if let sends = settings.sendsChecksum { s3.sendsChecksum = sends }
        if let bytes = settings.partSize {
            let partBytes = UInt64(clamping: bytes)
            s3.partBytes = partBytes
            s3.multipartFromBytes = max(s3.multipartFromBytes, partBytes)
        }
        return S3Destination(s3, memory: site.memory)
    }
}
