public import FrameFastModel

/// Where a message of the fleet belongs. Below ``root`` nothing else is read or written.
public enum FleetTopic: Hashable, Sendable {
    /// Whether a host is there: `online` or `offline`, retained, and its will.
    case online(FleetHostName)
    /// What a host is and does, retained.
    case status(FleetHostName)
    /// A camera of a host's, by its name, retained; an empty payload when it is gone for good.
    case camera(FleetHostName, String)
    /// What happened on a host.
    case event(FleetHostName)
    /// An order to a host.
    case hostOrder(FleetHostName, verb: String)
    /// An order to every host that has cameras in a group.
    case groupOrder(GroupName, verb: String)
    /// A host's answer, for whoever asked.
    case reply(FleetHostName, console: String)

    /// The first levels of every topic.
    public static let root = "framefast/v1"

    /// The topic as it is written.
    public var text: String {
        let levels: [String] =
            switch self {
            case .online(let host): ["host", host.rawValue, "online"]
            case .status(let host): ["host", host.rawValue, "status"]
            case .camera(let host, let name): ["host", host.rawValue, "camera", name]
            case .event(let host): ["host", host.rawValue, "event"]
            case .hostOrder(let host, let verb): ["host", host.rawValue, "cmd", verb]
            case .groupOrder(let group, let verb): ["group", group.rawValue, "cmd", verb]
            case .reply(let host, let console): ["host", host.rawValue, "reply", console]
            }
        return ([Self.root] + levels.map(Self.level)).joined(separator: "/")
    }

    /// The computer that it is about; `nil` for a group's orders.
    public var host: FleetHostName? {
        switch self {
        case .online(let host), .status(let host), .camera(let host, _), .event(let host),
            .hostOrder(let host, _), .reply(let host, _):
            host
        case .groupOrder: nil
        }
    }

    /// Reads a topic; `nil` for one that is none of ours.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.root + "/") else { return nil }
        let written = text.dropFirst(Self.root.count + 1)
            .split(separator: "/", omittingEmptySubsequences: false)
        let levels = written.compactMap { Self.unescaped($0) }
        guard levels.count == written.count, levels.allSatisfy({ !$0.isEmpty }) else { return nil }
        switch (levels.first, levels.count) {
        case ("host", 3):
            let host = FleetHostName(rawValue: levels[1])
            switch levels[2] {
            case "online": self = .online(host)
            case "status": self = .status(host)
            case "event": self = .event(host)
            default: return nil
            }
        case ("host", 4):
            let host = FleetHostName(rawValue: levels[1])
            switch levels[2] {
            case "camera": self = .camera(host, levels[3])
            case "cmd": self = .hostOrder(host, verb: levels[3])
            case "reply": self = .reply(host, console: levels[3])
            default: return nil
            }
        case ("group", 4) where levels[2] == "cmd":
            self = .groupOrder(GroupName(rawValue: levels[1]), verb: levels[3])
        default: return nil
        }
    }

    // MARK: filters

    /// What every host is and does.
    public static let everyHost = [
        "\(root)/host/+/online", "\(root)/host/+/status", "\(root)/host/+/camera/+",
    ]
    /// Orders to a host and to groups.
    public static func orders(to host: FleetHostName) -> [String] {
        ["\(root)/host/\(level(host.rawValue))/cmd/+", "\(root)/group/+/cmd/+"]
    }

    /// Answers for whoever asks at a computer.
    public static func answers(to host: FleetHostName) -> String {
        "\(root)/host/+/reply/\(level(host.rawValue))"
    }

    // MARK: levels

    /// A name as one level of a topic: what means something in topics, and what no broker takes, is written as `%2F`.
    public static func level(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            if scalar.value < 0x20 || scalar.value == 0x7F || "/+#%".unicodeScalars.contains(scalar) {
                text += "%" + Hex.text(CollectionOfOne(UInt8(scalar.value))).uppercased()
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The name of a level; `nil` where it is none that ``level(_:)`` writes.
    static func unescaped(_ level: Substring) -> String? {
        var text = ""
        var rest = level.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let byte = UInt8(String(high) + String(low), radix: 16), byte < 0x80
            else { return nil }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }
}
