public import FoundationEssentials
import TextForms

/// How long a session's photos stay on this computer.
public enum RetentionRule: Codable, Hashable, Sendable {
    /// So many days after they were saved, when they are delivered everywhere by then.
    case days(Int)
    /// Until a person removes them.
    case forever
    /// Until they are delivered everywhere.
    case untilDelivered

    /// Longest time, in days.
    public static let daysMax = 36_500

    /// Reads `7 d`, `2w`, `forever` or `until-delivered`; `nil` when it is none of these, or not whole days.
    public init?(_ text: String) {
        switch text {
        case "forever": self = .forever
        case "until-delivered": self = .untilDelivered
        default:
            guard let (seconds, rest) = DurationText.duration(of: text)?.components, rest == 0,
                seconds.isMultiple(of: 86_400), (1...Self.daysMax).contains(Int(seconds / 86_400))
            else { return nil }
            self = .days(Int(seconds / 86_400))
        }
    }

    /// As it is written in the configuration.
    public var text: String {
        switch self {
        case .days(let days): "\(days) d"
        case .forever: "forever"
        case .untilDelivered: "until-delivered"
        }
    }

    /// Photos that were saved before this moment may be cleared, if they are delivered everywhere: nothing else is
    /// ever cleared by itself. `nil`: none.
    public func clearsSavedBefore(_ now: Date) -> Date? {
        switch self {
        case .days(let days): now.addingTimeInterval(-Double(days) * 86_400)
        case .forever: nil
        case .untilDelivered: now
        }
    }
}
