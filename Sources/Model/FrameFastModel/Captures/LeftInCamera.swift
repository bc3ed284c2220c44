public import FoundationEssentials

/// Photos that were in the memory of a camera without a listable card when its connection broke. The camera
/// wrote them to its card, if it has one, and the service cannot fetch them. A condition tells the person.
///
/// The condition lasts until the camera shows its card (USB mode MTP or mass storage, in which the photos are
/// copied), or for a day: the service does not notice a card reader.
public struct LeftInCamera: Codable, Hashable, Sendable {
    /// The duration of the condition, in seconds.
    public static let attentionSeconds: TimeInterval = 86_400

    /// The number of photos. It may be one too high, because the camera's last count may be ahead of the
    /// photos that arrived.
    public var count: Int
    /// The time at which the last of them was left behind.
    public var since: Date

    /// Creates the record after a connection broke, including photos that were left behind earlier.
    ///
    /// - Parameters:
    ///   - count: The number of photos that were still in the camera.
    ///   - before: The photos left behind earlier, or `nil` without such photos or if the camera has shown
    ///     its card since.
    /// - Returns: `nil` if no photos are left behind.
    public init?(losing count: Int, at now: Date, before: LeftInCamera?) {
        let before = before.flatMap { $0.isCurrent(at: now) ? $0 : nil }
        guard count > 0 || before != nil else { return nil }
        self.count = (before?.count ?? 0) + max(0, count)
        since = count > 0 ? now : before?.since ?? now
    }

    /// Returns whether the condition still applies. A clock that is set back does not extend it.
    public func isCurrent(at now: Date) -> Bool {
        abs(now.timeIntervalSince(since)) < Self.attentionSeconds
    }
}
