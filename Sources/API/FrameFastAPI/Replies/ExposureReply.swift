/// The current exposure of a camera. A value is `nil` if the camera does not have the setting. A value
/// without a translation is in the camera's own notation.
public struct ExposureReply: WireValue {
    /// All values in one line: `1/125 f/5.6 ISO 400 AWB RAW+J`.
    public var text: String
    /// The exposure mode: P, A, S or M.
    @OrNull public var mode: String?
    /// The exposure time: `1/125`, `0.8`, `bulb`.
    @OrNull public var shutter: String?
    /// The f-number: `5.6`.
    @OrNull public var aperture: String?
    /// The ISO number, or `auto`.
    @OrNull public var iso: String?
    /// The exposure compensation, in stops: `+0.7`.
    @OrNull public var exposureCompensation: String?
    /// The white balance: `auto`, `daylight`.
    @OrNull public var whiteBalance: String?
    /// The file formats: `raw+jpeg-fine`.
    @OrNull public var quality: String?
    /// The source of the last change to the camera's settings, or `nil` before the first change.
    @OrNull public var changedBy: Word<Source>?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.text, "All settings in one line", examples: ["1/125 f/5.6 ISO 400 AWB RAW+J"]),
            .init(
                CodingKeys.changedBy,
                "Source of the last change to the camera's settings. If the camera and a request change settings at the same time, the value is camera"
            ),
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
        self._changedBy = OrNull(wrappedValue: changedBy.map { Word($0) })
    }

    /// The source of a change.
    public typealias Source = SettingSource
}
