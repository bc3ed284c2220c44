public import Foundation

/// The features that a destination was seen to offer or to refuse.
public struct DestinationCapabilities: Codable, Hashable, Sendable {
    /// One observation.
    public struct Lesson: Codable, Hashable, Sendable {
        /// Whether the destination offers the feature.
        public var isOffered: Bool
        /// The server's words, or `nil` if it offers the feature.
        public var reason: String?
        /// When it was seen.
        public var learnedAt: Date
    }

    /// The longest reason that is kept, in characters.
    private static let reasonMax = 160

    /// The configuration that the lessons belong to.
    public private(set) var fingerprint: String
    private var known: [String: Lesson] = [:]

    /// Nothing is known.
    ///
    /// - Parameter fingerprint: Changes with the destination's configuration.
    public init(fingerprint: String = "") { self.fingerprint = fingerprint }

    /// The observation of a feature, or `nil` if the feature was not tried.
    public subscript(_ feature: DestinationFeature) -> Lesson? { known[feature.rawValue] }

    /// Whether uploads use a feature: they do until it is refused.
    public func offers(_ feature: DestinationFeature) -> Bool { self[feature]?.isOffered ?? true }

    /// Features that were tried, in the order of their declaration.
    public var lessons: [(feature: DestinationFeature, lesson: Lesson)] {
        DestinationFeature.allCases.compactMap { feature in self[feature].map { (feature, $0) } }
    }

    /// Records an observation.
    ///
    /// - Returns: Whether it differs from the one before.
    public mutating func learn(
        _ feature: DestinationFeature, isOffered: Bool, reason: String? = nil, at now: Date
    ) -> Bool {
        guard self[feature]?.isOffered != isOffered else { return false }
        known[feature.rawValue] = Lesson(
            isOffered: isOffered, reason: isOffered ? nil : reason.map { String($0.prefix(Self.reasonMax)) },
            learnedAt: now)
        return true
    }

    /// The name that a photo has while it is sent.
    public var temporaryName: TemporaryName {
        if !offers(.rename) { return .final }
        if !offers(.otherNames) { return .photo }
        if !offers(.partNames) { return .bare }
        return offers(.hiddenNames) ? .hidden : .plain
    }

    /// The state of each of these features, in the order of their declaration.
    public func states(of features: [DestinationFeature]) -> [FeatureState] {
        DestinationFeature.allCases.filter(features.contains)
            .map { FeatureState(feature: $0, lesson: self[$0], isBlind: isBlind) }
    }

    /// Features whose absence is no shortcoming to act on: a server that replaces names gets names that nothing has, and many
    /// servers know no request for a file's time, for a checksum or for their own features.
    private static let optional: Set<DestinationFeature> = [
        .condition, .featureList, .modificationTime, .append, .fileTime, .serverChecksum,
    ]

    /// A sentence about each feature that is refused and that a person may want, or `nil` if there is no such feature.
    public var summary: String? {
        let refused = lessons.filter { !$0.lesson.isOffered && !Self.optional.contains($0.feature) }
        guard !refused.isEmpty else { return nil }
        return states(of: refused.map(\.feature))
            .map { "Without \($0.feature.title): \($0.fallback)." }.joined(separator: " ")
    }

    /// Whether the destination tells neither sizes nor bytes of a file.
    private var isBlind: Bool { !offers(.size) && !offers(.readBack) }
}

/// A feature that uploads to a destination use, with the last observation.
public struct FeatureState: Hashable, Sendable {
    /// The feature.
    public var feature: DestinationFeature
    /// The observation, or `nil` if the feature was not tried.
    public var lesson: DestinationCapabilities.Lesson?
    /// Whether the destination tells neither sizes nor bytes of a file.
    var isBlind = false
    /// The way in which uploads work without the feature, for people.
    public var fallback: String {
        isBlind && [.size, .readBack].contains(feature)
            ? "a delivery is verified only if the server tells a checksum" : feature.fallback
    }
    /// Whether the destination refuses the feature.
    public var isRefused: Bool { lesson?.isOffered == false }
}

/// The kind of name that a photo has while it is sent, in the order in which they are tried.
public enum TemporaryName: String, CaseIterable, Hashable, Sendable {
    /// `.framefast-….part`
    case hidden
    /// `framefast-….part`
    case plain
    /// `framefast-…`
    case bare
    /// `framefast-….JPG`
    case photo
    /// The photo's final name.
    case final

    /// The feature that is refused where this kind of name is the first one that works. The names before it may have
    /// been refused for that reason, too.
    public var refused: [DestinationFeature] {
        switch self {
        case .hidden: []
        case .plain: [.hiddenNames]
        case .bare: [.partNames]
        case .photo: [.otherNames]
        case .final: [.rename]
        }
    }

    /// The features that a server offers if it takes this kind of name.
    public var shown: [DestinationFeature] {
        switch self {
        case .hidden: [.hiddenNames, .partNames, .otherNames]
        case .plain: [.partNames, .otherNames]
        case .bare: [.otherNames]
        case .photo, .final: []
        }
    }
}
