import SettingKeys
import UploadEngine

/// A destination kind for a folder on this computer, another disk or a mounted share.
enum DirectoryKind: DestinationDescriptor {
    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let path = SettingKey(
            "path", required: .text, example: "\"/mnt/nas/photos\"",
            "`directory`: the absolute path of the folder.")
        let mount = SettingKey(
            "mount", optional: .flag, example: "true",
            """
            `directory`: whether the folder is on a separate disk or share. With `true`, photos also wait until the disk \
            is mounted for the first time. FrameFast always detects a disk that is unmounted later.
            """)
    }

    static func location(_ settings: Settings<Keys>) -> String { settings.path }

    static func make(_ settings: Settings<Keys>, at site: DestinationSite) -> any UploadDestination {
        DirectoryDestination(
            name: site.name, folder: settings.path, stateDirectory: site.stateDirectory,
            mustBeMount: settings.mount ?? false, workers: site.workers)
    }
}
