public import FoundationEssentials

/// A destination that receives uploads.
public struct DestinationReply: WireValue {
    /// The name in the configuration, which is also the id in paths.
    public var name: DestinationName
    /// The protocol, or `nil` for a removed destination.
    @Word public var kind: Kind?
    /// The location, for people, without secrets. For example `s3://bucket/wedding at s3.example.com`.
    public var location: String
    /// The current state.
    @Word public var state: State?
    /// The state of the circuit breaker.
    @Word public var breaker: Breaker?
    /// The time of the last change of state or breaker.
    public var since: Date
    /// The number of uploads by state.
    public var statistics: UploadStatisticsReply
    /// The average number of bytes delivered per second in the last 60 seconds, or 0 while the destination is
    /// away.
    public var bytesPerSecond: Int64
    /// The last failure, or `nil` after a success.
    @OrNull public var lastError: UploadErrorReply?
    /// The features that the destination refuses, in the order in which a test tries them.
    public var refusedFeatures: [DestinationFeatureReply]
    /// The number of dropped or failed uploads whose partial files are not yet deleted at the destination.
    public var leftovers: Int
    /// The maximum total size of these partial files, in bytes.
    public var leftoverBytes: Int64

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.location, "Location for people, without secrets"),
            .init(
                CodingKeys.refusedFeatures,
                "Features that the destination refuses. Uploads use fallbacks for them"),
            .init(
                CodingKeys.leftovers,
                "Number of dropped or failed uploads whose partial files are not removed yet"),
            .init(CodingKeys.leftoverBytes, "Maximum total size of these partial files"),
        ]
    }

    /// Creates a reply.
    public init(
        name: DestinationName, kind: Kind?, location: String, state: State, breaker: Breaker = .closed,
        since: Date,
        statistics: UploadStatisticsReply = .init(), bytesPerSecond: Int64 = 0,
        lastError: UploadErrorReply? = nil, refusedFeatures: [DestinationFeatureReply] = [],
        leftovers: Int = 0, leftoverBytes: Int64 = 0
    ) {
        self.name = name
        self._kind = kind.map { Word($0) } ?? Word(text: "")
        self.location = location
        self._state = Word(state)
        self._breaker = Word(breaker)
        self.since = since
        self.statistics = statistics
        self.bytesPerSecond = bytesPerSecond
        self._lastError = OrNull(wrappedValue: lastError)
        self.refusedFeatures = refusedFeatures
        self.leftovers = leftovers
        self.leftoverBytes = leftoverBytes
    }

    /// The protocol of a destination.
    public typealias Kind = DestinationProtocol

    /// The state of a destination.
    public typealias State = DestinationAvailability

    /// The state of a circuit breaker.
    public typealias Breaker = BreakerState
}

/// A failure of an upload or a destination.
public struct UploadErrorReply: WireValue {
    /// The time of the failure.
    public var at: Date
    /// The description, as a sentence.
    public var sentence: String
    /// The next step for a person, as a sentence, or `nil` if no action is needed.
    @OrNull public var nextStep: String?

    /// Creates a reply.
    public init(at: Date, sentence: String, nextStep: String? = nil) {
        self.at = at
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
    }
}

/// `GET /v1/destinations`.
public struct DestinationsReply: WireValue {
    /// The configured destinations in the order of the configuration, then removed destinations that have
    /// uploads left.
    public var destinations: [DestinationReply]

    /// Creates a reply.
    public init(destinations: [DestinationReply]) {
        self.destinations = destinations
    }
}

/// `POST /v1/destinations/{id}/test`: the result of uploading and deleting a probe. A failed test is a reply,
/// not an error.
public struct DestinationTestReply: WireValue {
    /// The destination's name.
    public var destination: DestinationName
    /// Whether all steps succeeded.
    public var ok: Bool
    /// The result, as a sentence. After a failure, it contains the reason.
    public var sentence: String
    /// The next step for a person, as a sentence, or `nil` after a success.
    @OrNull public var nextStep: String?
    /// The steps that ran, in order, as sentences. After a failure, the last element is the failed step.
    public var steps: [String]
    /// The features that uploads to a destination of this kind use.
    public var features: [DestinationFeatureReply]
    /// The duration of the test, in milliseconds.
    public var tookMs: Int

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.steps, "The steps of the test, in order"),
            .init(CodingKeys.features, "The features that uploads to a destination of this kind use"),
        ]
    }

    /// Creates a reply.
    public init(
        destination: DestinationName, ok: Bool, sentence: String, nextStep: String? = nil,
        steps: [String] = [], features: [DestinationFeatureReply] = [], tookMs: Int = 0
    ) {
        self.destination = destination
        self.ok = ok
        self.sentence = sentence
        self._nextStep = OrNull(wrappedValue: nextStep)
        self.steps = steps
        self.features = features
        self.tookMs = tookMs
    }
}
