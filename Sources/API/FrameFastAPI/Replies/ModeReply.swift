/// `GET /v1/mode`: when photos are uploaded, in the running session; without one, those of no session.
public struct ModeReply: WireValue {
    /// The mode.
    public var mode: SessionReply.UploadMode
    /// With `rated`: the fewest stars that go out, 1...5; `nil` otherwise.
    @OrNull public var threshold: Int?
    /// With `scheduled`: when photos go out, `22:00-06:00` in the host's zone; `nil` when the time does not matter.
    @OrNull public var window: String?
    /// With `scheduled`: photos go out when this many are there; `nil` when their number does not matter.
    @OrNull public var afterPhotos: Int?
    /// Id of the running session; `nil` between sessions.
    @OrNull public var session: SessionID?
    /// Its name.
    @OrNull public var sessionName: String?
    /// Jobs that are held now.
    public var held: Int
    /// What happens to photos now, as a sentence.
    public var sentence: String

    /// Creates a reply.
    public init(
        mode: SessionReply.UploadMode, threshold: Int? = nil, window: String? = nil, afterPhotos: Int? = nil,
        session: SessionID? = nil, sessionName: String? = nil, held: Int = 0, sentence: String
    ) {
        self.mode = mode
        self._threshold = OrNull(wrappedValue: threshold)
        self._window = OrNull(wrappedValue: window)
        self._afterPhotos = OrNull(wrappedValue: afterPhotos)
        self._session = OrNull(wrappedValue: session)
        self._sessionName = OrNull(wrappedValue: sessionName)
        self.held = held
        self.sentence = sentence
    }
}

/// `POST /v1/mode`: acts at once on what is not being sent yet.
///
/// Threshold, window and number hold for every session from now on, also after a restart, until the configuration says
/// something new. What is left out stays as it is.
public struct ModeRequest: WireRequest {
    /// Stars that a photo can have.
    public static let thresholds = 1...5
    /// Most photos that can be waited for.
    public static let afterPhotosMax = 100_000

    /// The mode.
    public var mode: SessionReply.UploadMode
    /// With `rated` only: the fewest stars that go out.
    public var threshold: Int?
    /// With `scheduled` only: `22:00-06:00` in the host's zone.
    public var window: String?
    /// With `scheduled` only: how many photos have to be there; 0 when their number does not matter.
    public var afterPhotos: Int?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.threshold, "With rated",
                range: Int64(thresholds.lowerBound)...Int64(thresholds.upperBound)),
            .init(CodingKeys.window, "With scheduled", examples: ["22:00-06:00"]),
            .init(
                CodingKeys.afterPhotos, "With scheduled; 0 when their number does not matter",
                range: 0...Int64(afterPhotosMax)),
        ]
    }

    /// Creates a request.
    public init(
        mode: SessionReply.UploadMode, threshold: Int? = nil, window: String? = nil, afterPhotos: Int? = nil
    ) {
        self.mode = mode
        self.threshold = threshold
        self.window = window
        self.afterPhotos = afterPhotos
    }

    /// Whether a text is two times of day that differ: `22:00-06:00`.
    public static func isWindow(_ text: String) -> Bool {
        let times = text.split(separator: "-", omittingEmptySubsequences: false)
        return times.count == 2 && times[0] != times[1]
            && times.allSatisfy { time in
                let parts = time.split(separator: ":", omittingEmptySubsequences: false)
                guard time.utf8.count == 5, parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
                    time.allSatisfy({ $0 == ":" || $0.isASCII && $0.isNumber }),
                    let hour = UInt8(parts[0]), let minute = UInt8(parts[1])
                else { return false }
                return hour < 24 && minute < 60
            }
    }
}
