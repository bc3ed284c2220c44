import ChildProcesses
public import Foundation
public import FrameFastModel

/// How a notice goes. Raw values are the words of the configuration.
public enum NoticeKind: String, Hashable, Sendable, CaseIterable {
    /// A bubble on the desktop of who is logged in.
    case desktop
    /// POST of JSON.
    case webhook
    /// POST to a topic of ntfy.
    case ntfy
    /// Mail, by the system's sendmail.
    case mail
}

/// Where a notice goes.
public enum NoticeChannel: Hashable, Sendable {
    /// The notification service on the session bus of the user whom this process belongs to.
    case desktop
    /// JSON to an address; signed where there is a secret.
    case webhook(NoticeAddress)
    /// Text to the topic of an ntfy server; with a token where there is a secret.
    case ntfy(NoticeAddress)
    /// Mail.
    case mail(NoticeMail)

    /// Its word.
    public var kind: NoticeKind {
        switch self {
        case .desktop: .desktop
        case .webhook: .webhook
        case .ntfy: .ntfy
        case .mail: .mail
        }
    }
}

/// An address on the web that takes notices.
public struct NoticeAddress: Hashable, Sendable {
    /// `http` or `https`, without user and password.
    public var url: String
    /// Where the secret is, as the configuration has it; `nil` for none.
    public var secretFile: String?
    /// PEM file of the authorities that may vouch for the server; `nil` for the system's.
    public var caFile: String?

    /// Creates an address.
    public init(url: String, secretFile: String? = nil, caFile: String? = nil) {
        self.url = url
        self.secretFile = secretFile
        self.caFile = caFile
    }

    /// The server as people know it: never a path, which may be a secret.
    var place: String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3
            ? String(parts[2].prefix { $0 != "/" && $0 != "?" && $0 != "#" }) : "the server"
    }

    /// What is wrong with an address; `nil` when it can be one.
    public static func fault(_ url: String) -> String? {
        let scheme = ["http://", "https://"].first { url.lowercased().hasPrefix($0) }
        guard let scheme, !NoticeAddress(url: url).place.isEmpty else {
            return "\"\(url)\" is no http or https address"
        }
        guard !url.dropFirst(scheme.count).prefix(while: { $0 != "/" }).contains("@") else {
            return "the address holds a user or password: use a secret file instead"
        }
        let isPlain = url.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value != 0x7f }
        return isPlain ? nil : "the address holds spaces or other characters that no address has"
    }
}

/// Who gets mail, from whom, and what sends it.
public struct NoticeMail: Hashable, Sendable {
    /// Who gets it; at least one.
    public var to: [String]
    /// From whom.
    public var from: String
    /// The program that sends it: takes `-t -i` and the mail as its input.
    public var sendmail: String

    /// Creates the facts of a mail.
    public init(to: [String], from: String, sendmail: String) {
        self.to = to
        self.from = from
        self.sendmail = sendmail
    }

    /// What stands in the way of sending it, as parts of a sentence; empty when nothing does.
    public var faults: [String] { command(timeoutSeconds: 1).faults }

    /// What is run, with the mail as its input.
    func command(timeoutSeconds: Double) -> CommandSettings {
        CommandSettings(program: sendmail, arguments: ["-t", "-i"], timeoutSeconds: timeoutSeconds)
    }

    /// Letters that an address may have besides letters and digits (RFC 5322, `atext`, without quoted names).
    private static let others = Set("!#$%&'*+-/=?^_`{|}~.")

    /// What is wrong with a mail address; `nil` when it can be one. A line's end, a comma or a comment would add a header or a
    /// recipient of its own.
    public static func fault(_ address: String) -> String? {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isAddress =
            parts.count <= 2
            && parts.allSatisfy { part in
                !part.isEmpty && !part.hasPrefix("-")
                    && part.unicodeScalars.allSatisfy {
                        $0.isASCII
                            && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                                || others.contains(Character($0)))
                    }
            }
        return isAddress ? nil : "\"\(address)\" is no mail address"
    }
}

/// A way of telling a person what is wrong: a table of the configuration.
public struct Notice: Hashable, Sendable {
    /// Its name; unique.
    public var name: NoticeName
    /// Where it goes.
    public var channel: NoticeChannel
    /// Conditions that are less bad are not told.
    public var severity: Condition.Severity
    /// Only these conditions; `nil` for all.
    public var conditions: Set<ConditionKind>?
    /// How long a condition has to hold, or to be over, before that is told.
    public var delay: Duration
    /// When nothing is told but what may lose photos; `nil` for never.
    public var quiet: UploadSchedule.Window?
    /// Whose time of day that is.
    public var zone: TimeZone

    /// Creates a notice.
    public init(
        name: NoticeName, channel: NoticeChannel, severity: Condition.Severity = .warning,
        conditions: Set<ConditionKind>? = nil, delay: Duration = .zero, quiet: UploadSchedule.Window? = nil,
        zone: TimeZone = .current
    ) {
        self.name = name
        self.channel = channel
        self.severity = severity
        self.conditions = conditions
        self.delay = delay
        self.quiet = quiet
        self.zone = zone
    }

    /// Whether a condition is told. That a notice does not arrive is told by no notice.
    public func wants(_ condition: Condition) -> Bool {
        condition.kind != .noticeUndelivered && condition.severity >= severity
            && conditions?.contains(condition.kind) != false
    }

    /// When the quiet hours end that a moment lies in; `nil` outside of them.
    func quietUntil(_ now: Date) -> Date? {
        guard let quiet else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.hour, .minute], from: now)
        guard quiet.contains((parts.hour ?? 0) * 60 + (parts.minute ?? 0)) else { return nil }
        let end = DateComponents(hour: quiet.end / 60, minute: quiet.end % 60, second: 0)
        // The day on which clocks are put forward may not have that minute: then the first one behind it.
        return calendar.nextDate(after: now, matching: end, matchingPolicy: .nextTime)
    }
}
