// A key's own words are its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SettingKeys

/// Manifests of what was captured.
public struct ManifestKeys: ConfigurationSection {
    public static let section = "manifest"
    public static let title = "Manifests of what was captured (ASC MHL)"
    public static let keys = ManifestKeys()

    public let isAutomatic = SettingKey(
        "asc_mhl", .flag, default: "false", change: .restart,
        """
        Whether new photos are recorded in an ASC MHL manifest when a session stops and at the end of each day. `framefast \
        session seal` does it at any time.
        """)
    public let author = SettingKey(
        "author",
        SettingKind<String?>(.text) { value in
            value.text.map { $0 == "none" || $0.isEmpty ? nil : $0 }
        }, default: "\"none\"", example: "\"Kim Berg\"", change: .restart,
        "Whom manifests name as their author, in the role `tether`. `none` for nobody.")
}
