// The description text of each key replaces its doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import SettingKeys

/// The keys of the web page.
public struct WebKeys: ConfigurationSection {
    public static let section = "web"
    public static let title = "The web page for the studio and its clients"
    public static let keys = WebKeys()

    /// Whether the page uses TLS.
    public enum Encryption: String, Sendable {
        case on
        case off
    }

    public let listen = SettingKey(
        "listen",
        SettingKind<WebListenAddress>(.webAddress) { value in value.text.flatMap { WebListenAddress($0) } },
        default: "\"\"", example: "\"lan\"", change: .restart,
        """
        The devices that can reach the web page. `""` turns the page off. `"127.0.0.1:9480"` serves the page \
        to this computer only. `"lan"` serves the page to the private networks of this computer, at port \
        9480; `"lan:PORT"` uses another port. A device sees photos only after it is paired with \
        `framefast web pair`.
        """)
    public let names = SettingKey(
        "names", .texts("host names", WebKeys.fault(ofName:)), default: "[]",
        example: "[\"studio.example\"]", change: .restart,
        """
        Further host names under which browsers may open the page. The addresses of this computer, its host name \
        and `NAME.local` need no entry. Any other name is refused, because it may belong to another web site.
        """)
    public let tls = SettingKey(
        "tls", .choice([Encryption.on, .off]), default: "\"on\"", change: .restart,
        """
        Whether the page uses TLS in the local network. With `"off"`, others in the network can read photos and \
        take over paired devices, and browsers do not keep the screen on. A loopback address such as \
        `"127.0.0.1:9480"` never uses TLS.
        """)
    public let certificateFile = SettingKey(
        "cert_file", optional: .path, example: "\"/etc/framefast/web.pem\"", change: .restart,
        """
        The certificate of the page with its chain, in PEM form. Without this key, FrameFast makes a \
        self-signed certificate, and each browser warns at the first visit. `framefast web pair` shows the \
        fingerprint.
        """)
    public let keyFile = SettingKey(
        "key_file", optional: .path, example: "\"/etc/framefast/web.key\"", change: .restart,
        "The private key of `cert_file`, in PEM form. Only the service's user should be able to read the file."
    )
    public let allowsControl = SettingKey(
        "control", .flag, default: "false", change: .restart,
        """
        Whether a device with role `owner` may release shutters, open live view, start and stop sessions, and \
        change the upload mode and queue.
        """)
    public let givesOriginals = SettingKey(
        "originals", .flag, default: "false", change: .restart,
        """
        Whether a device with role `client` may fetch the original files of its session, with all data that the \
        camera wrote into them, such as the position and the serial number.
        """)
    public let allowsPublic = SettingKey(
        "allow_public", .flag, default: "false", change: .restart,
        """
        Whether `"lan"` also listens on public addresses of this computer. Devices must still have a \
        private address.
        """)

    /// Returns the problem of a host name, or `nil` if it is valid.
    @Sendable private static func fault(ofName name: String) -> String? {
        let isValid =
            name.utf8.count <= 253 && !name.hasPrefix(".") && !name.hasPrefix("-")
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        return isValid
            ? nil : "'\(name)' is not a host name: omit https:// and the port, as in studio.example"
    }
}
