/// What a photo's file says of how it was taken; `nil` for what it does not say.
public struct PhotoExif: Hashable, Sendable {
    /// Sensitivity, in ISO numbers.
    public var iso: Int?
    /// How long the shutter was open, in seconds.
    public var shutterSeconds: Double?
    /// The f-number.
    public var aperture: Double?
    /// Focal length, in millimetres.
    public var focalLengthMm: Double?
    /// Model of the lens, as the camera writes it: data, to be cleaned before it becomes a name.
    public var lens: String?

    /// Whether it says nothing.
    public var isEmpty: Bool { self == PhotoExif() }

    /// Creates facts.
    public init(
        iso: Int? = nil, shutterSeconds: Double? = nil, aperture: Double? = nil, focalLengthMm: Double? = nil,
        lens: String? = nil
    ) {
        self.iso = iso
        self.shutterSeconds = shutterSeconds
        self.aperture = aperture
        self.focalLengthMm = focalLengthMm
        self.lens = lens
    }

    /// Facts as photos have them, for names that are only shown.
    public static let example = PhotoExif(
        iso: 400, shutterSeconds: 1.0 / 250, aperture: 2.8, focalLengthMm: 85, lens: "85mm F1.8")

    /// Longest time that is written as a part of a second: longer ones are read as 0.3, 0.5, 1.
    private static let fractionSecondsMax = 0.26

    /// The exposure time as names have it: `1-250`, `0.5`, `30`.
    public var shutterText: String? {
        shutterSeconds.map { seconds in
            seconds > 0 && seconds < Self.fractionSecondsMax
                ? "1-\(Int((1 / seconds).rounded()))" : Self.short(seconds)
        }
    }

    /// The f-number as names have it: `2.8`, `11`.
    public var apertureText: String? { aperture.map(Self.short) }

    /// The focal length as names have it: `85`, `10.5`.
    public var focalLengthText: String? { focalLengthMm.map(Self.short) }

    /// With one digit after the point where that is not 0.
    private static func short(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
