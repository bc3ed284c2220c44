public import Foundation

/// The features that a destination has accepted or refused so far.
public struct DestinationCapabilities: Codable, Hashable, Sendable {
    /// One observation.
    public struct Lesson: Codable, Hashable, Sendable {
        /// Whether the destination offers the feature.
        public var isOffered: Bool
        /// The server's error message, or `nil` if the server offers the feature.
        public var reason: String?
        /// The date of the observation.
        public var learnedAt: Date
    }

    /// The longest stored reason, in characters.
    private static let reasonMax = 160

    /// A hash of the configuration that the lessons apply to.
    public private(set) var fingerprint: String
    private var known: [String: Lesson] = [:]

    /// Creates capabilities without any observation.
    ///
    /// - Parameter fingerprint: A hash of the destination's configuration. It changes with the configuration.
    public init(fingerprint: String = "") { self.fingerprint = fingerprint }

    /// The observation of a feature, or `nil` if no upload has tried the feature.
    public subscript(_ feature: DestinationFeature) -> Lesson? { known[feature.rawValue] }

    /// Whether uploads use a feature. They use each feature until the server refuses it.
    public func offers(_ feature: DestinationFeature) -> Bool { self[feature]?.isOffered ?? true }

    /// The features that uploads have tried, in the order of their declaration.
    public var lessons: [(feature: DestinationFeature, lesson: Lesson)] {
        DestinationFeature.allCases.compactMap { feature in self[feature].map { (feature, $0) } }
    }

    /// Records an observation.
    ///
    /// - Returns: Whether it differs from the previous observation.
    public mutating func learn(
        _ feature: DestinationFeature, isOffered: Bool, reason: String? = nil, at now: Date
    ) -> Bool {
        guard self[feature]?.isOffered != isOffered else { return false }
        known[feature.rawValue] = Lesson(
            isOffered: isOffered, reason: isOffered ? nil : reason.map { String($0.prefix(Self.reasonMax)) },
            learnedAt: now)
        return true
    }

    /// The kind of name that a photo has during its transfer.
    public var temporaryName: TemporaryName {
        if !offers(.rename) { return .final }
        if !offers(.otherNames) { return .photo }
        if !offers(.partNames) { return .bare }
        return offers(.hiddenNames) ? .hidden : .plain
    }

    /// Returns the state of each of these features, in the order of their declaration.
    public func states(of features: [DestinationFeature]) -> [FeatureState] {
        DestinationFeature.allCases.filter(features.contains)
            .map { FeatureState(feature: $0, lesson: self[$0], isBlind: isBlind) }
    }

    /// Features whose absence needs no action. A server that replaces files gets unique names. Many servers
    /// support no file times, no checksums and no feature list.
    private static let optional: Set<DestinationFeature> = [
        .condition, .featureList, .modificationTime, .append, .fileTime, .serverChecksum,
    ]

    /// A sentence for each refused feature that a person may want, or `nil` if there is no such feature.
    public var summary: String? {
        let refused = lessons.filter { !$0.lesson.isOffered && !Self.optional.contains($0.feature) }
        guard !refused.isEmpty else { return nil }
        return states(of: refused.map(\.feature))
            .map { "Without \($0.feature.title): \($0.fallback)." }.joined(separator: " ")
    }

    /// Whether the destination reports neither the size nor the bytes of a file.
    private var isBlind: Bool { !offers(.size) && !offers(.readBack) }
}

/// A feature that uploads to a destination use, with its latest observation.
public struct FeatureState: Hashable, Sendable {
    /// The observed feature.
    public var feature: DestinationFeature
    /// The latest observation, or `nil` if no upload has tried the feature.
    public var lesson: DestinationCapabilities.Lesson?
    /// Whether the destination reports neither the size nor the bytes of a file.
    var isBlind = false
    /// A description, for people, of how uploads work without the feature.
    public var fallback: String {
        isBlind && [.size, .readBack].contains(feature)
            ? "a delivery is verified only if the server reports a checksum" : feature.fallback
    }
    /// Whether the destination refuses the feature.
    public var isRefused: Bool { lesson?.isOffered == false }
}

/// The kinds of name that a photo can have during its transfer, in the order in which uploads try them.
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

    /// The features that are refused if this is the first kind of name that the server accepts. The kinds
    /// before it may have been refused for the same reason.
    public var refused: [DestinationFeature] {
        switch self {
        case .hidden: []
        case .plain: [.hiddenNames]
        case .bare: [.partNames]
        case .photo: [.otherNames]
        case .final: [.rename]
        }
    }

    /// The features that a server offers if it accepts this kind of name.
    public var shown: [DestinationFeature] {
        switch self {
        case .hidden: [.hiddenNames, .partNames, .otherNames]
        case .plain: [.partNames, .otherNames]
        case .bare: [.otherNames]
        case .photo, .final: []
        }
    }
}
