// A key's own words are its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SettingKeys

/// The page for the studio and its clients.
public struct WebKeys: ConfigurationSection {
    public static let section = "web"
    public static let title = "A page for the studio and its clients"
    public static let keys = WebKeys()

    /// An absolute path; `nil` for what the service makes itself.
    private static let file = SettingKind<String?>(
        .text,
        check: { value in
            let isFile = value.text.map { $0 == "own" || $0.hasPrefix("/") } ?? false
            return isFile ? [] : ["is neither an absolute path nor \"own\""]
        }
    ) { value in value.text.map { $0 == "own" ? nil : $0 } }

    public let listen = SettingKey(
        "listen",
        SettingKind<WebAddress?>(.webAddress) { value in value.text.map { WebAddress($0) } },
        default: "\"off\"", example: "\"lan\"", change: .restart,
        """
        Where the page is served. An address such as `127.0.0.1:9480` is for browsers on this computer. `lan` is for those on \
        the local network: the page answers private addresses only, and only devices that were let in with `framefast web pair`.
        """)
    public let tls = SettingKey(
        "tls", .choice(["on", "off"]), default: "\"on\"", change: .restart,
        """
        Whether the page is reached by `https`. On the local network `off` lets everybody there read along, and browsers keep \
        screens awake only with `on`.
        """)
    public let certificate = SettingKey(
        "cert_file", WebKeys.file, default: "\"own\"", example: "\"/etc/framefast/page.pem\"",
        change: .restart,
        """
        A certificate of yours, with its chain, as PEM. Otherwise the service makes one, about which each browser asks once.
        """)
    public let key = SettingKey(
        "key_file", WebKeys.file, default: "\"own\"", example: "\"/etc/framefast/page.key\"",
        change: .restart, "The key of `cert_file`, as PEM.")
    public let names = SettingKey(
        "names", .texts("host names"), default: "[]", change: .restart,
        "Further names under which browsers reach this computer. Its host name and the same with `.local` are known."
    )
    public let mayControl = SettingKey(
        "control", .flag, default: "false", change: .restart,
        """
        Whether a device that was let in as owner may release shutters, look through cameras, and change the session and the \
        upload mode.
        """)
}
