public import FoundationEssentials

/// A feature that uploads use of their own accord, and whether a destination offers it.
public struct DestinationFeatureReply: WireValue {
    /// The feature, as a word: `part-names`.
    public var feature: String
    /// The feature, for people.
    public var title: String
    /// Whether the destination offers it.
    public var state: State
    /// The way in which uploads work without it, for people.
    public var fallback: String
    /// The server's words, or `nil` if it did not refuse the feature.
    @OrNull public var reason: String?
    /// When the state was seen, or `nil` if the feature was not tried.
    @OrNull public var since: Date?

    /// The descriptions of its fields in the document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.fallback, "What uploads do if the feature is refused"),
            .init(CodingKeys.reason, "The server's words"),
        ]
    }

    /// Creates a reply.
    public init(
        feature: String, title: String, state: State, fallback: String, reason: String? = nil,
        since: Date? = nil
    ) {
        self.feature = feature
        self.title = title
        self.state = state
        self.fallback = fallback
        self._reason = OrNull(wrappedValue: reason)
        self._since = OrNull(wrappedValue: since)
    }

    /// Whether a destination offers a feature.
    public struct State: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The destination offers it.
        public static let offered = Self(rawValue: "offered")
        /// The destination refuses it; uploads use the fallback.
        public static let refused = Self(rawValue: "refused")
        /// It was not tried yet.
        public static let unknown = Self(rawValue: "unknown")

        /// Every word of this build.
        public static let all = [offered, refused, unknown]
    }
}
