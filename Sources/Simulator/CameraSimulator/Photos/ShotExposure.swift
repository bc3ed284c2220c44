/// The exposure of a shot, as written to its files.
public struct ShotExposure: Hashable, Sendable {
    /// An EXIF rational number.
    public struct Fraction: Hashable, Sendable {
        var top: UInt32
        var bottom: UInt32

        init(_ top: UInt32, _ bottom: UInt32) { (self.top, self.bottom) = (top, bottom) }
    }

    var seconds = Fraction(1, 250)
    var fNumber = Fraction(28, 10)
    var iso: UInt16 = 400

    /// Creates the default exposure, for a camera without exposure settings.
    public init() {}
}
