// A key's own words are its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FrameFastModel
public import Notices
public import SettingKeys

/// Ways of telling a person what is wrong.
public struct NoticeKeys: ConfigurationSection {
    public static let section = "notice"
    public static let title = "Ways of telling a person what is wrong, one table each"
    public static let keys = NoticeKeys()

    private static func text(_ fault: @escaping @Sendable (String) -> String?) -> SettingKind<String> {
        SettingKind(.text, check: { value in value.text.flatMap(fault).map { [$0] } ?? [] }) { $0.text }
    }

    private static func secretFault(_ place: String) -> String? {
        place.hasPrefix("/") || place.hasPrefix("credential:")
            ? nil : "is neither an absolute path nor \"credential:NAME\""
    }

    public let name = SettingKey(
        "name", required: .name, example: "\"phone\"",
        "What the notice is called. Required, and different for each.")
    public let kind = SettingKey(
        "kind", required: .choice(NoticeKind.allCases), example: "\"ntfy\"",
        """
        How it goes. `desktop`: a bubble on the desktop of the login that the service belongs to. `webhook`: POST of JSON. \
        `ntfy`: to a topic of an ntfy server, for telephones. `mail`: by the system's sendmail. Required.
        """)
    public let severity = SettingKey(
        "severity", optional: .choice(Condition.Severity.allCases), example: "\"danger\"",
        "Conditions that are less bad than this are not told. Without it, `warning`.")
    public let conditions = SettingKey(
        "conditions",
        optional: .texts("codes of conditions") { code in
            ConditionKind(rawValue: code) != nil
                ? nil
                : "there is no condition '\(code)'"
                    + (Suggestion.nearest(to: code, in: ConditionKind.allCases.map(\.rawValue))
                        .map { " (did you mean '\($0)'?)" } ?? "")
        },
        example: "[\"disk-full\", \"destination-away\"]",
        "Only these conditions, by the codes that `framefast status --json` shows. Without it, all.")
    public let delay = SettingKey(
        "delay", optional: .duration(max: .seconds(3_600)), example: "\"1 min\"",
        """
        How long a condition has to hold before it is told, and how long it has to be over: what comes and goes more quickly \
        is not told. Without it, 5 s.
        """)
    public let quiet = SettingKey(
        "quiet",
        optional: NoticeKeys.text {
            UploadSchedule.Window($0) == nil ? "\"\($0)\" is not a time of day like \"22:00-07:00\"" : nil
        }, example: "\"22:00-07:00\"",
        """
        Quiet hours. What comes in them is told in one message when they end, if it still holds. What may lose photos \
        (`danger`) is told at once all the same.
        """)
    public let timeZone = SettingKey(
        "time_zone", optional: .timeZone, example: "\"Europe/Berlin\"",
        "The time zone of the quiet hours. Without it, this computer's.")
    public let url = SettingKey(
        "url", optional: NoticeKeys.text(NoticeAddress.fault), example: "\"https://ntfy.sh/my-secret-topic\"",
        "`webhook`, `ntfy`: where it goes; for `ntfy` the server with the topic. Required for these.")
    public let secretFile = SettingKey(
        "secret_file", optional: NoticeKeys.text(NoticeKeys.secretFault), example: "\"credential:hook\"",
        isSecretFile: true,
        """
        `webhook`: file with the secret by which the other side can check the signature: an absolute path, or \
        `credential:NAME` for one that systemd hands over.
        """)
    public let tokenFile = SettingKey(
        "token_file", optional: NoticeKeys.text(NoticeKeys.secretFault), example: "\"credential:ntfy\"",
        isSecretFile: true,
        "`ntfy`: file with an access token, for a topic that not everybody may write to; as `secret_file`.")
    public let caFile = SettingKey(
        "ca_file", optional: .path, example: "\"/etc/framefast/studio-ca.pem\"",
        "`webhook`, `ntfy`: authorities that may vouch for the server. Without it, the system's.")
    public let to = SettingKey(
        "to", optional: .texts("mail addresses", NoticeMail.fault), example: "[\"studio@example.org\"]",
        "`mail`: who gets it. Required for it.")
    public let from = SettingKey(
        "from", optional: NoticeKeys.text(NoticeMail.fault), example: "\"framefast@example.org\"",
        "`mail`: from whom it is. Required for it.")
    public let sendmail = SettingKey(
        "sendmail", optional: .path, example: "\"/usr/bin/msmtp\"",
        """
        `mail`: the program that sends it; it is run with `-t -i`. Without it, `/usr/sbin/sendmail`. See the guide to notices \
        for those that do not work in the service's sandbox.
        """)

    /// Keys that only some kinds have, by name.
    private static let own: [NoticeKind: [String]] = [
        .desktop: [],
        .webhook: [
            keys.url.declaration.name, keys.secretFile.declaration.name, keys.caFile.declaration.name,
        ],
        .ntfy: [keys.url.declaration.name, keys.tokenFile.declaration.name, keys.caFile.declaration.name],
        .mail: [keys.to.declaration.name, keys.from.declaration.name, keys.sendmail.declaration.name],
    ]

    /// Names of the keys that a kind cannot do without.
    static func needed(by kind: NoticeKind) -> [String] {
        switch kind {
        case .desktop: []
        case .webhook, .ntfy: [keys.url.declaration.name]
        case .mail: [keys.to.declaration.name, keys.from.declaration.name]
        }
    }

    /// Names of the keys that mean nothing to a kind.
    static func foreign(to kind: NoticeKind) -> Set<String> {
        Set(own.values.joined()).subtracting(own[kind] ?? [])
    }
}
