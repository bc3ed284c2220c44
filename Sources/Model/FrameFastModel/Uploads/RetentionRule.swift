public import FoundationEssentials
import TextForms

/// The time for which the photos of a session stay on this computer.
public enum RetentionRule: Codable, Hashable, Sendable {
    /// Until this number of days after the photo was saved. An undelivered photo stays until it is delivered
    /// to all destinations.
    case days(Int)
    /// Until a person removes the photos.
    case forever
    /// Until the photo is delivered everywhere.
    case untilDelivered

    /// The longest retention time, in days.
    public static let daysMax = 36_500

    /// Parses `7 d`, `2w`, `forever` or `until-delivered`. Returns `nil` for other text and for fractions of
    /// a day.
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

    /// The text in the configuration.
    public var text: String {
        switch self {
        case .days(let days): "\(days) d"
        case .forever: "forever"
        case .untilDelivered: "until-delivered"
        }
    }

    /// Returns the cutoff date of the rule, or `nil` if the rule never clears photos.
    ///
    /// The service clears photos that were saved before this date and are delivered everywhere.
    public func clearsSavedBefore(_ now: Date) -> Date? {
        switch self {
        case .days(let days): now.addingTimeInterval(-Double(days) * 86_400)
        case .forever: nil
        case .untilDelivered: now
        }
    }

    /// The largest offset of a camera's time zone from UTC, in seconds.
    private static let zoneSecondsMax: TimeInterval = 14 * 3_600

    /// Returns whether a photo was taken after the cutoff date, by its camera's clock.
    ///
    /// Without a clock battery and a network, a computer saves photos with an old date. After a time server
    /// has set the clock, such a photo seems to be old enough for clearing. A camera's time in the future is
    /// wrong, and does not count.
    ///
    /// - Parameters:
    ///   - cameraTime: The photo's time by the camera's clock, as ``CameraObject/plausibleTime``.
    ///   - cutoff: The result of ``clearsSavedBefore(_:)``.
    ///   - now: The present time.
    public static func isTaken(_ cameraTime: Int64?, after cutoff: Date, now: Date) -> Bool {
        guard let cameraTime else { return false }
        // The camera's time is local time. The time in UTC is earlier by up to the offset.
        let earliest = Date(timeIntervalSince1970: TimeInterval(cameraTime) - zoneSecondsMax)
        return earliest >= cutoff && earliest < now
    }
}
