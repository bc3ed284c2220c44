public import FoundationEssentials

/// A feature that uploads use automatically, and whether a destination offers it.
public struct DestinationFeatureReply: WireValue {
    /// The stable name of the feature, for programs. For example `part-names`.
    public var feature: String
    /// The name of the feature, for people.
    public var title: String
    /// Whether the destination offers the feature.
    @Word public var state: State?
    /// The behavior of uploads without the feature, for people.
    public var fallback: String
    /// The server's message, or `nil` if the server did not refuse the feature.
    @OrNull public var reason: String?
    /// The time when the state was determined, or `nil` if the feature was not tried.
    @OrNull public var since: Date?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.fallback, "Behavior of uploads if the destination refuses the feature"),
            .init(CodingKeys.reason, "The server's message"),
        ]
    }

    /// Creates a reply.
    public init(
        feature: String, title: String, state: State, fallback: String, reason: String? = nil,
        since: Date? = nil
    ) {
        self.feature = feature
        self.title = title
        self._state = Word(state)
        self.fallback = fallback
        self._reason = OrNull(wrappedValue: reason)
        self._since = OrNull(wrappedValue: since)
    }

    /// Whether a destination offers a feature.
    public typealias State = FeatureSupport
}
