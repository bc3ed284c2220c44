public import Foundation

/// The features that a destination has accepted or refused so far.
public struct DestinationCapabilities: Codable, Hashable, Sendable {
    /// The latest observation of one feature.
    public struct Observation: Codable, Hashable, Sendable {
        /// Whether the destination offers the feature.
        public var isOffered: Bool
        /// The server's error message when it refused the feature, or `nil` if the server offers the feature.
        public var reason: String?
        /// The date of the observation.
        public var learnedAt: Date
    }

    /// The largest length of a stored reason, in characters. Longer reasons are truncated.
    private static let reasonMax = 160

    /// A hash of the destination's configuration. The observations are valid only for this configuration.
    public private(set) var fingerprint: String
    private var known: [String: Observation] = [:]

    /// Creates capabilities without observations.
    ///
    /// - Parameter fingerprint: A hash of the destination's configuration.
    public init(fingerprint: String = "") { self.fingerprint = fingerprint }

    /// The observation of a feature, or `nil` if no upload has tried the feature.
    public subscript(_ feature: DestinationFeature) -> Observation? { known[feature.rawValue] }

    /// Returns whether uploads use a feature. Returns `true` until the server refuses the feature.
    public func offers(_ feature: DestinationFeature) -> Bool { self[feature]?.isOffered ?? true }

    /// The observed features with their latest observations, in declaration order.
    public var observations: [(feature: DestinationFeature, observation: Observation)] {
        DestinationFeature.allCases.compactMap { feature in self[feature].map { (feature, $0) } }
    }

    /// Records an observation of a feature. Keeps the stored observation if the result is the same.
    ///
    /// - Returns: Whether the observation differs from the stored one.
    public mutating func learn(
        _ feature: DestinationFeature, isOffered: Bool, reason: String? = nil, at now: Date
    ) -> Bool {
        guard self[feature]?.isOffered != isOffered else { return false }
        known[feature.rawValue] = Observation(
            isOffered: isOffered, reason: isOffered ? nil : reason.map { String($0.prefix(Self.reasonMax)) },
            learnedAt: now)
        return true
    }

    /// The first kind of temporary name that the server accepts.
    public var temporaryName: TemporaryName {
        if !offers(.rename) { return .final }
        if !offers(.otherNames) { return .photo }
        if !offers(.partNames) { return .bare }
        return offers(.hiddenNames) ? .hidden : .plain
    }

    /// Returns the states of these features, in declaration order.
    public func states(of features: [DestinationFeature]) -> [FeatureState] {
        DestinationFeature.allCases.filter(features.contains)
            .map {
                FeatureState(feature: $0, observation: self[$0], refusesSizeAndBytes: refusesSizeAndBytes)
            }
    }

    /// The features that the summary omits, because their refusal requires no action by a person. If the
    /// server replaces existing files, photos get unique names. Many servers do not support file times,
    /// checksums or feature lists.
    private static let optional: Set<DestinationFeature> = [
        .condition, .featureList, .modificationTime, .append, .fileTime, .serverChecksum,
    ]

    /// One sentence for each refused feature that matters to a person, or `nil` if no such feature was
    /// refused.
    public var summary: String? {
        let refused = observations.filter { !$0.observation.isOffered && !Self.optional.contains($0.feature) }
        guard !refused.isEmpty else { return nil }
        return states(of: refused.map(\.feature))
            .map { "Without \($0.feature.title): \($0.fallback)." }.joined(separator: " ")
    }

    /// Whether the destination reports neither the sizes nor the bytes of files.
    private var refusesSizeAndBytes: Bool { !offers(.size) && !offers(.readBack) }
}

/// A feature that uploads to a destination use, with its latest observation.
public struct FeatureState: Hashable, Sendable {
    /// The feature.
    public var feature: DestinationFeature
    /// The latest observation, or `nil` if no upload has tried the feature.
    public var observation: DestinationCapabilities.Observation?
    /// Whether the destination reports neither the sizes nor the bytes of files.
    var refusesSizeAndBytes = false
    /// A clause for people that describes uploads without the feature.
    public var fallback: String {
        refusesSizeAndBytes && [.size, .readBack].contains(feature)
            ? "a delivery is verified only if the server reports a checksum" : feature.fallback
    }
    /// Whether the destination refuses the feature.
    public var isRefused: Bool { observation?.isOffered == false }
}

/// The kinds of names for photos during a transfer, in the order in which uploads try them.
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

    /// The features that count as refused if the server accepts this kind of name and refused all earlier
    /// kinds. A single server rule may have caused all these refusals.
    public var refused: [DestinationFeature] {
        switch self {
        case .hidden: []
        case .plain: [.hiddenNames]
        case .bare: [.partNames]
        case .photo: [.otherNames]
        case .final: [.rename]
        }
    }

    /// The features that count as offered if the server accepts this kind of name.
    public var shown: [DestinationFeature] {
        switch self {
        case .hidden: [.hiddenNames, .partNames, .otherNames]
        case .plain: [.partNames, .otherNames]
        case .bare: [.otherNames]
        case .photo, .final: []
        }
    }
}
