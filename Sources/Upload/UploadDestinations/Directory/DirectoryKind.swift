import FrameFastModel
import SettingKeys
import UploadEngine

/// A folder on this computer, another disk or a mounted share.
enum DirectoryKind: DestinationDescriptor {
    /// Where photos lie in the folder.
    enum Layout: String, CaseIterable, Sendable { case folders, flat }

    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let path = SettingKey(
            "path", required: .text, example: "\"/mnt/nas/photos\"", "`directory`: the folder, absolute.")
        let mount = SettingKey(
            "mount", optional: .flag, example: "true",
            """
            `directory`: whether the folder lies on a disk or share of its own. Then photos wait until that is mounted \
            for the first time, too. A mount that goes away later is noticed in any case.
            """)
        let layout = SettingKey(
            "layout", optional: .choice(Layout.allCases), example: "\"flat\"",
            """
            `directory`: where photos lie. `folders` (the default): in the folders of their names; `flat`: all in the \
            folder itself, for programs that watch one folder. A name that is taken gets a number.
            """)
        let xmp = SettingKey(
            "xmp", optional: .choice(XMPNaming.allCases), example: "\"name\"",
            """
            `directory`: whether each photo gets an XMP sidecar there, before the photo: as `xmp` in `[sidecar]`, \
            whatever that says. `off` is the default. Later stars are not sent.
            """)
        let touch = SettingKey(
            "touch", optional: .flag, example: "true",
            """
            `directory`: whether each file is opened for writing and closed once it has its name, for programs that wait \
            for that (`inotifywait -e close_write`). The file and its time stay as they are.
            """)
    }

    /// A flat folder has not the paths that manifests name.
    static func takesManifests(_ settings: Settings<Keys>) -> Bool { settings.layout != .flat }

    static func companions(_ settings: Settings<Keys>) -> XMPNaming { settings.xmp ?? .off }

    static func location(_ settings: Settings<Keys>) -> String { settings.path }

    static func make(_ settings: Settings<Keys>, at site: DestinationSite) -> any UploadDestination {
        DirectoryDestination(
            name: site.name, folder: settings.path, stateDirectory: site.stateDirectory,
            mustBeMount: settings.mount ?? false,
            handOff: .init(isFlat: settings.layout == .flat, touches: settings.touch ?? false),
            workers: site.workers)
    }
}
