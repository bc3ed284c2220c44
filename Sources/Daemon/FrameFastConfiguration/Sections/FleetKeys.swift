// A key's own words are its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FleetLink
public import SettingKeys

/// Other computers with cameras.
public struct FleetKeys: ConfigurationSection {
    public static let section = "fleet"
    public static let title = "Other computers with cameras, through an MQTT broker"
    public static let keys = FleetKeys()

    /// A text; `nil` for a word that stands for what is usual.
    private static func text(
        usual: String, _ fault: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> SettingKind<String?> {
        SettingKind<String?>(
            .text,
            check: { value in
                value.text.flatMap { $0 == usual ? nil : fault($0) }.map { [$0] } ?? []
            }
        ) { value in value.text.map { $0 == usual ? nil : $0 } }
    }

    private static let verbs = SettingKind<Set<FleetVerb>>(
        .texts("orders: " + FleetVerb.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")),
        check: { value in
            (value.list ?? []).filter { FleetVerb(rawValue: $0) == nil }.map { "has no order '\($0)'" }
        }
    ) { value in value.list.map { Set($0.compactMap(FleetVerb.init(rawValue:))) } }

    public let broker = SettingKey(
        "broker",
        SettingKind<BrokerAddress?>(.broker) { value in value.text.map { BrokerAddress($0) } },
        default: "\"off\"", example: "\"mqtts://studio.local\"", change: .restart,
        """
        The broker that the computers of a fleet talk through: `mqtts://HOST` with TLS, `mqtt://HOST` without, each with a port \
        where it is not the usual one. This computer needs it for nothing else: photos are taken and uploaded without it.
        """)
    public let name = SettingKey(
        "name", FleetKeys.text(usual: "host"), default: "\"host\"",
        example: "\"host-a\"", change: .restart,
        "What this computer is called in the fleet. Each has a name of its own; `host` for the name that the system has."
    )
    public let user = SettingKey(
        "user", FleetKeys.text(usual: "name"), default: "\"name\"",
        example: "\"host-a\"", change: .restart,
        "Who logs in to the broker. `name` for the one above.")
    public let passwordFile = SettingKey(
        "password_file",
        FleetKeys.text(usual: "none") {
            $0.hasPrefix("/") || $0.hasPrefix("credential:")
                ? nil : "is neither an absolute path, \"credential:NAME\" nor \"none\""
        }, default: "\"none\"",
        example: "\"credential:fleet\"", change: .restart,
        "Where the password is: an absolute path, or `credential:NAME` for what systemd hands over; `none` for a broker that asks for none."
    )
    public let caFile = SettingKey(
        "ca_file",
        FleetKeys.text(usual: "system") {
            $0.hasPrefix("/") ? nil : "is neither an absolute path nor \"system\""
        },
        default: "\"system\"",
        example: "\"/etc/framefast/fleet-ca.pem\"", change: .restart,
        "Certificates that prove who the broker is, as PEM. `system` for the system's.")
    public let accept = SettingKey(
        "accept", FleetKeys.verbs, default: "[]",
        example: "[\"shoot\", \"session\"]", change: .restart,
        """
        What others may have this computer do: `shoot` releases the shutters of a group, `session` starts and stops sessions, \
        `mode` changes the upload mode, `retry` tries failed uploads again. Who may give orders is the broker's decision.
        """)
    public let clockErrorMax = SettingKey(
        "clock_error_max", .duration(max: .seconds(60)), default: "\"20 ms\"", change: .restart,
        """
        How wrong this computer's clock may be, as the system says, before it refuses to release shutters at a moment that \
        another computer names.
        """)
    public let homeAssistant = SettingKey(
        "home_assistant", .flag, default: "false", change: .restart,
        "Whether this computer shows itself in Home Assistant, when that has the same broker.")
}
