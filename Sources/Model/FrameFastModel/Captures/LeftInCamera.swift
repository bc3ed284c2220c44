public import FoundationEssentials

/// Photos that stayed in a camera's memory after a lost connection, for a camera that does not list its card.
/// If the camera has a card, it writes the photos to the card. The service cannot fetch these photos, and
/// raises a condition.
///
/// The condition ends when the camera connects in USB mode MTP or mass storage, in which a person can copy
/// the photos. Otherwise, the condition ends when the camera is connected and one day has passed since
/// ``since``. The service needs this time limit, because the service does not detect card readers.
public struct LeftInCamera: Codable, Hashable, Sendable {
    /// The duration of the condition, in seconds.
    public static let attentionSeconds: TimeInterval = 86_400

    /// The number of photos. The number may be one too high, because the camera's last count may include a
    /// photo that was transferred afterwards.
    public var count: Int
    /// The time of the last lost connection that left photos in the camera.
    public var since: Date

    /// Creates the record after a lost connection. Adds the photos of earlier lost connections.
    ///
    /// - Parameters:
    ///   - count: The number of photos that were still in the camera.
    ///   - before: The previous record. `nil` if there is no record, or if the camera has since connected in
    ///     a mode that shows its card.
    /// - Returns: `nil` if no photos are left in the camera.
    public init?(losing count: Int, at now: Date, before: LeftInCamera?) {
        let before = before.flatMap { $0.isCurrent(at: now) ? $0 : nil }
        guard count > 0 || before != nil else { return nil }
        self.count = (before?.count ?? 0) + max(0, count)
        since = count > 0 ? now : before?.since ?? now
    }

    /// Returns whether the condition still applies. A clock that is set back does not extend the condition.
    public func isCurrent(at now: Date) -> Bool {
        abs(now.timeIntervalSince(since)) < Self.attentionSeconds
    }
}
