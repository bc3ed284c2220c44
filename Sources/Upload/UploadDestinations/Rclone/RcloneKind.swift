import FrameFastModel
import SettingKeys
import UploadEngine

/// A destination kind for a remote of an rclone configuration.
enum RcloneKind: DestinationDescriptor {
    /// The default path of rclone's configuration.
    private static let configDefault = "/etc/framefast/rclone.conf"

    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let remote = SettingKey(
            "remote", required: .text, example: "\"drive:photos\"",
            "`rclone`: a remote from rclone's configuration, with a folder.")
        let config = SettingKey(
            "rclone_config", optional: .path, example: "\"\(configDefault)\"", isSecretFile: true,
            """
            `rclone`: rclone's configuration file, which other users must not be able to read. Default: `\(configDefault)`.
            """)
    }

    static func location(_ settings: Settings<Keys>) -> String { settings.remote }

    static func features(_ settings: Settings<Keys>) -> [DestinationFeature] {
        [.hiddenNames, .partNames, .otherNames, .rename, .remove]
    }

    static func make(
        _ settings: Settings<Keys>, at site: DestinationSite
    ) throws -> any UploadDestination {
        let parts = settings.remote.split(separator: ":", maxSplits: 1).map(String.init)
        let config = settings.config ?? configDefault
        // The file contains the remotes' passwords and tokens. rclone does not check the file's permissions.
        try site.checkSecretFile(config)
        var rclone = RcloneSettings(
            name: site.name, remote: parts.first ?? "", folder: parts.count > 1 ? parts[1] : "",
            configFile: config, bytesPerSecond: site.bytesPerSecond)
        rclone.writableConfigFile =
            "\(site.stateDirectory)/destinations/\(SafeName.component(site.name)).rclone.conf"
        return RcloneDestination(rclone, memory: site.memory)
    }
}
