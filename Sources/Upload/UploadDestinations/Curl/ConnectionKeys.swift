import SettingKeys

/// The configuration keys of all kinds that use TLS.
struct ConnectionKeys: KeyTable {
    static let section = "destination"
    static let keys = ConnectionKeys()

    let connectTimeout = SharedKeys.connectTimeout
    let stallTimeout = SharedKeys.stallTimeout
    let caFile = SettingKey(
        "ca_file", optional: .path, example: "\"/etc/framefast/nas-ca.pem\"", topic: .trust,
        "File with trusted certificate authorities. Default: the authorities that the system trusts.")
    let insecure = SettingKey(
        "insecure", optional: .flag, example: "false", topic: .trust,
        "Whether to accept any certificate. Others can then read and change the data in transit. Use this only for tests."
    )
}

extension ConnectionSettings {
    init(_ settings: Settings<ConnectionKeys>, proxy: String? = nil, at site: DestinationSite) {
        self.init(
            caFile: settings.caFile, insecure: settings.insecure ?? false, proxy: proxy,
            bytesPerSecond: site.bytesPerSecond)
        setTimes(settings)
    }

    /// Returns the longest time for which a request may transfer no data, according to these keys.
    static func silenceMax(_ settings: Settings<ConnectionKeys>) -> Duration {
        var connection = ConnectionSettings()
        connection.setTimes(settings)
        return .seconds(connection.connectSeconds + connection.stallSeconds)
    }

    private mutating func setTimes(_ settings: Settings<ConnectionKeys>) {
        if let time = settings.connectTimeout { connectSeconds = time.wholeSeconds }
        if let time = settings.stallTimeout { stallSeconds = time.wholeSeconds }
    }
}
