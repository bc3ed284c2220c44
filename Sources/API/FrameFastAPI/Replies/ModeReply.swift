import TextForms

/// `GET /v1/mode`: when photos are uploaded. The mode applies to the running session, or between sessions to
/// photos without a session.
public struct ModeReply: WireValue {
    /// The mode.
    @Word public var mode: UploadMode?
    /// With `rated`, the minimum number of stars, 1...5. `nil` for other modes.
    @OrNull public var threshold: Int?
    /// With `scheduled`, the upload window, `22:00-06:00` in the host's time zone, or `nil` for any time.
    @OrNull public var window: String?
    /// With `scheduled`, the number of waiting photos that starts an upload outside of the window. `nil` if
    /// waiting photos never start an upload outside of the window.
    @OrNull public var afterPhotos: Int?
    /// The id of the running session, or `nil` between sessions.
    @OrNull public var session: SessionID?
    /// The name of the running session, or `nil` between sessions.
    @OrNull public var sessionName: String?
    /// The number of uploads that are held now.
    public var held: Int
    /// A sentence that describes when photos are uploaded now.
    public var sentence: String

    /// Creates a reply.
    public init(
        mode: UploadMode, threshold: Int? = nil, window: String? = nil, afterPhotos: Int? = nil,
        session: SessionID? = nil, sessionName: String? = nil, held: Int = 0, sentence: String
    ) {
        self._mode = Word(mode)
        self._threshold = OrNull(wrappedValue: threshold)
        self._window = OrNull(wrappedValue: window)
        self._afterPhotos = OrNull(wrappedValue: afterPhotos)
        self._session = OrNull(wrappedValue: session)
        self._sessionName = OrNull(wrappedValue: sessionName)
        self.held = held
        self.sentence = sentence
    }
}

/// `POST /v1/mode`: changes when photos are uploaded. The change applies immediately to uploads that are not
/// being sent yet.
///
/// Threshold, window and number of photos apply to every session. These values survive a restart, and are
/// valid until their configuration keys change. Omitted values do not change.
public struct ModeRequest: WireRequest {
    /// The allowed values of ``threshold``, in stars.
    public static let thresholds = 1...5
    /// The largest allowed value of ``afterPhotos``.
    public static let afterPhotosMax = 100_000

    /// The mode.
    @Word public var mode: UploadMode?
    /// With `rated` only: the minimum number of stars.
    public var threshold: Int?
    /// With `scheduled` only: the upload window, `22:00-06:00` in the host's time zone.
    public var window: String?
    /// With `scheduled` only: the number of waiting photos that starts an upload outside of the window, or 0
    /// to turn this off.
    public var afterPhotos: Int?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.threshold, "With mode rated: minimum number of stars",
                range: Int64(thresholds.lowerBound)...Int64(thresholds.upperBound)),
            .init(CodingKeys.window, "With mode scheduled: upload window", examples: ["22:00-06:00"]),
            .init(
                CodingKeys.afterPhotos,
                "With mode scheduled: number of waiting photos that starts an upload outside of the window. 0 turns this off",
                range: 0...Int64(afterPhotosMax)),
        ]
    }

    /// Creates a request.
    public init(
        mode: UploadMode, threshold: Int? = nil, window: String? = nil, afterPhotos: Int? = nil
    ) {
        self._mode = Word(mode)
        self.threshold = threshold
        self.window = window
        self.afterPhotos = afterPhotos
    }

    /// Returns whether a text is an upload window: two times of day, `22:00-06:00`. With two equal times, the
    /// window is the whole day. The configuration has the same rule.
    public static func isWindow(_ text: String) -> Bool { TimeRangeText.minutes(of: text) != nil }
}
