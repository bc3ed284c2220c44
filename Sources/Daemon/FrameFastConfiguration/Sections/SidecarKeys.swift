// A key's own words are its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FrameFastModel
public import SettingKeys

/// What photos get beside them in the capture directory.
public struct SidecarKeys: ConfigurationSection {
    public static let section = "sidecar"
    public static let title = "Sidecars beside photos in the capture directory"
    public static let keys = SidecarKeys()

    public let xmp = SettingKey(
        "xmp", .choice(XMPNaming.allCases), default: "\"off\"", change: .restart,
        """
        Whether photos get an XMP sidecar with stars, camera, session and checksum, written before the photo has its \
        name. `name`: `NAME.xmp` for each RAW file (Lightroom, Bridge, Capture One); `name.ext`: `NAME.EXT.xmp` for each \
        photo and movie (darktable, Immich). Later stars are written to it as long as no other program has changed it.
        """)
    public let json = SettingKey(
        "json", .flag, default: "false", change: .restart,
        """
        Whether each file gets a small JSON file `NAME.EXT.json` beside it: computer, camera, session, shot, times and \
        checksum.
        """)
    public let position = SettingKey(
        "position",
        SettingKind<GeoPosition?>(
            .text,
            check: { value in
                guard let text = value.text, text != none, GeoPosition(text) == nil else { return [] }
                return [
                    "'\(text)' is not a position: write degrees north and east, such as \"52.5163, 13.3777\""
                ]
            }
        ) { value in value.text.map(GeoPosition.init) },
        default: "\"\(none)\"", example: "\"52.5163, 13.3777\"", change: .restart,
        "Where all photos are taken, in degrees north and east, for their XMP sidecars. `none` for no place.")

    private static let none = "none"
}
