public import FoundationEssentials

/// Photos that were in the memory of a camera whose card cannot be listed when its connection broke. They went to its
/// card, if it has one, and nobody fetches them: a person has to know.
///
/// It is said until the camera shows its card (its USB set to MTP or to mass storage, which is how they are copied), or
/// for a day: whoever uses a card reader is not seen here.
public struct LeftInCamera: Codable, Hashable, Sendable {
    /// How long it is said, in seconds.
    public static let attentionSeconds: TimeInterval = 86_400

    /// How many, as far as known: the camera's last word may be one ahead of what came.
    public var count: Int
    /// When the last of them was left.
    public var since: Date

    /// What is left after a connection broke.
    ///
    /// - Parameters:
    ///   - count: Photos that were still in the camera.
    ///   - before: What was left before that; `nil` when nothing was, or when it was taken care of.
    /// - Returns: `nil` when nothing is left.
    public init?(losing count: Int, at now: Date, before: LeftInCamera?) {
        let before = before.flatMap { $0.deservesAttention(at: now) ? $0 : nil }
        guard count > 0 || before != nil else { return nil }
        self.count = (before?.count ?? 0) + max(0, count)
        since = count > 0 ? now : before?.since ?? now
    }

    /// Whether it is still to be said. A clock that is set back makes it no longer.
    public func deservesAttention(at now: Date) -> Bool {
        abs(now.timeIntervalSince(since)) < Self.attentionSeconds
    }
}
