/// How a camera exposes now. What it has no such setting for is `nil`; a word that is not known is the camera's own.
public struct ExposureReply: WireValue {
    /// All of it in a line: `1/125 f/5.6 ISO 400 AWB RAW+J`.
    public var text: String
    /// Exposure mode: P, A, S, M.
    @OrNull public var mode: String?
    /// Exposure time: `1/125`, `0.8`, `bulb`.
    @OrNull public var shutter: String?
    /// f-number: `5.6`.
    @OrNull public var aperture: String?
    /// ISO number, or `auto`.
    @OrNull public var iso: String?
    /// Stops: `+0.7`.
    @OrNull public var exposureCompensation: String?
    /// White balance: `auto`, `daylight`.
    @OrNull public var whiteBalance: String?
    /// File formats: `raw+jpeg-fine`.
    @OrNull public var quality: String?
    /// The source of the last change to the camera's settings; `nil` before the first.
    @OrNull public var changedBy: Source?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.text, "All of it in a line", examples: ["1/125 f/5.6 ISO 400 AWB RAW+J"]),
            .init(
                CodingKeys.changedBy,
                "Source of the last change to the camera's settings; camera if both changed some"),
        ]
    }

    /// Creates a reply.
    public init(
        text: String, mode: String? = nil, shutter: String? = nil, aperture: String? = nil,
        iso: String? = nil,
        exposureCompensation: String? = nil, whiteBalance: String? = nil, quality: String? = nil,
        changedBy: Source? = nil
    ) {
        self.text = text
        self._mode = OrNull(wrappedValue: mode)
        self._shutter = OrNull(wrappedValue: shutter)
        self._aperture = OrNull(wrappedValue: aperture)
        self._iso = OrNull(wrappedValue: iso)
        self._exposureCompensation = OrNull(wrappedValue: exposureCompensation)
        self._whiteBalance = OrNull(wrappedValue: whiteBalance)
        self._quality = OrNull(wrappedValue: quality)
        self._changedBy = OrNull(wrappedValue: changedBy)
    }

    /// The source of a new value.
    public struct Source: WireWord {
        /// The word.
        public let rawValue: String
        /// Takes any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A dial or button of the camera, or what it chose by itself.
        public static let camera = Self(rawValue: "camera")
        /// A request to the service.
        public static let request = Self(rawValue: "request")

        /// Every word of this build.
        public static let all = [camera, request]
    }
}
