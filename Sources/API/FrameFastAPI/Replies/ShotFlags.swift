/// The yes-or-no facts of a shot, as the bits of one number.
public struct ShotFlags: OptionSet, Hashable, Sendable {
    /// The bits, as on the wire.
    public let rawValue: Int

    /// Creates flags from the bits on the wire.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The shot has a RAW file.
    public static let raw = ShotFlags(rawValue: 1)
    /// The shot has a JPEG or another developed picture.
    public static let jpeg = ShotFlags(rawValue: 2)
    /// The shot has a movie.
    public static let movie = ShotFlags(rawValue: 4)
    /// A file of the shot is damaged.
    public static let damaged = ShotFlags(rawValue: 8)
    /// Every file of the shot is delivered to all its destinations.
    public static let delivered = ShotFlags(rawValue: 16)
    /// An author commented on the shot.
    public static let comment = ShotFlags(rawValue: 32)
    /// The shot has no picture that can be shown.
    public static let noPreview = ShotFlags(rawValue: 64)
}
